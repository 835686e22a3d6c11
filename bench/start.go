package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"moothall/bench/load"
	"moothall/bench/report"
	"moothall/internal/domain"
)

// measureStart starts `moothall serve` on all cores. It measures the time until
// the first response to GET /events, and then the first POST /events with
// coordinates, which needs the map of time zones. It returns the medians of several starts.
func (r *runner) measureStart(ctx context.Context, database string) (first, create time.Duration, err error) {
	var firsts, creates []time.Duration
	for range r.Starts {
		first, create, err := r.startOnce(ctx, database)
		if err != nil {
			return 0, 0, fmt.Errorf("starting %s: %w", r.Service[0], err)
		}
		firsts, creates = append(firsts, first), append(creates, create)
	}
	slices.Sort(firsts)
	slices.Sort(creates)
	return report.Percentile(firsts, 50), report.Percentile(creates, 50), nil
}

func (r *runner) startOnce(ctx context.Context, database string) (first, create time.Duration, err error) {
	address, err := freeAddress()
	if err != nil {
		return 0, 0, err
	}
	command := onCores(r.cores, r.Service)
	service := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // the user names the program
	service.Stderr = r.Progress
	service.Env = []string{"DATABASE_URL=" + database, "LISTEN_ADDR=" + address, "LOG_LEVEL=warn"}
	for name, value := range serviceSettings {
		service.Env = append(service.Env, name+"="+value)
	}
	watch := load.Start()
	if err := service.Start(); err != nil {
		return 0, 0, err
	}
	defer func() {
		_ = service.Process.Signal(syscall.SIGTERM)
		err = errors.Join(err, service.Wait())
	}()
	c, err := firstResponse(ctx, address, watch)
	if err != nil {
		return 0, 0, err
	}
	defer c.Close()
	first = watch.Elapsed()
	create, err = firstCreate(c)
	return first, create, err
}

// freeAddress returns an address for another process. Its port is lower than those that the
// system gives to others meanwhile.
func freeAddress() (string, error) {
	var l net.Listener
	var err error
	for range 100 {
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.N(10_000))); err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", err
}

// firstResponse waits until the service responds.
func firstResponse(ctx context.Context, address string, watch load.Stopwatch) (*load.Conn, error) {
	for {
		c, err := load.Dial(ctx, address, load.Grace)
		if err == nil {
			if _, err = c.Ask(load.Request{Method: http.MethodGet, Target: "/events"}); err == nil {
				return c, nil
			}
			c.Close()
		}
		if watch.Elapsed() > load.Grace {
			return nil, fmt.Errorf("no response within %v: %w", load.Grace, err)
		}
		time.Sleep(time.Millisecond)
	}
}

// firstCreate creates an event with coordinates.
func firstCreate(c *load.Conn) (time.Duration, error) {
	l, err := signIn(c, "starter@bench.example")
	if err != nil {
		return 0, err
	}
	tomorrow := domain.SystemClock().Now().AddDate(0, 0, 1).Format(time.RFC3339)
	event := map[string]any{"title": "The first event", "starts_at": tomorrow, "lat": cities[0].lat, "lng": cities[0].lng}
	watch := load.Start()
	err = c.Post("/events", l.Access, event, &struct{}{})
	return watch.Elapsed(), err
}
