package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// starts are measured, of which the middle one counts.
const starts = 3

// firstAnswer is how long after its start the service, as it is run in
// production on all cores, answers GET /events on a database of the newest
// schema; 0 when it is not measured.
func (r *run) firstAnswer(ctx context.Context, database string) (time.Duration, error) {
	if len(r.Service) == 0 {
		return 0, nil
	}
	var took []time.Duration
	for range starts {
		one, err := r.startOnce(ctx, database)
		if err != nil {
			return 0, fmt.Errorf("the start of the service: %w", err)
		}
		took = append(took, one)
	}
	slices.Sort(took)
	return took[starts/2], nil
}

func (r *run) startOnce(ctx context.Context, database string) (took time.Duration, err error) {
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	program := onCores(r.cores, r.Service)
	service := exec.CommandContext(ctx, program[0], program[1:]...) //nolint:gosec // the caller's own program
	service.Stderr = r.Progress
	service.Env = []string{"DATABASE_URL=" + database, "LISTEN_ADDR=" + address}
	for name, value := range settings {
		service.Env = append(service.Env, name+"="+value)
	}
	watch := start()
	if err := service.Start(); err != nil {
		return 0, err
	}
	defer func() { // an orderly end
		_ = service.Process.Signal(syscall.SIGTERM)
		err = errors.Join(err, service.Wait())
	}()
	for watch.elapsed() < patience {
		if err := answers(ctx, address); err == nil {
			return watch.elapsed(), nil
		}
		time.Sleep(time.Millisecond)
	}
	return 0, errors.New("it does not answer")
}

// freeAddress is one on which nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// answers asks for the first page.
func answers(ctx context.Context, address string) error {
	c, err := dial(ctx, address, patience)
	if err != nil {
		return err
	}
	defer func() { _ = c.net.Close() }() // everything was read
	_, err = c.ask(request{method: "GET", target: "/events"})
	return err
}
