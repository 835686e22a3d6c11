package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os/exec"
	"strings"
)

// remote is the server's process, seen from the generator's.
type remote struct {
	Addresses
	process *exec.Cmd
	input   io.WriteCloser
	calls   *rpc.Client
}

// onCores is the program that runs another one on the cores, if there are some.
func onCores(cores, program []string) []string {
	if len(cores) == 0 {
		return program
	}
	return append([]string{"taskset", "-c", strings.Join(cores, ",")}, program...)
}

// start starts the program that calls Serve, on the cores of the server, and
// opens there what method opens. stop ends it; so does the end of this process.
func (r *run) start(ctx context.Context, method string, config any) (*remote, error) {
	program := onCores(r.serverCores, r.Server)
	s := &remote{process: exec.CommandContext(ctx, program[0], program[1:]...)} //nolint:gosec // the caller's own program
	s.process.Stderr = r.Progress
	var err error
	if s.input, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	s.calls = jsonrpc.NewClient(pipe{output, s.input})
	if err := s.call(method, config, &s.Addresses); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (r *remote) call(method string, args, reply any) error {
	if reply == nil {
		reply = &struct{}{}
	}
	if err := r.calls.Call("Server."+method, args, reply); err != nil {
		return fmt.Errorf("bench server: %s: %w", method, err)
	}
	return nil
}

// stop waits until the databases are closed.
func (r *remote) stop() error {
	err := r.input.Close()
	if ended := r.process.Wait(); ended != nil {
		err = fmt.Errorf("bench server: %w", ended)
	}
	return err
}

func (r *remote) pid() int { return r.process.Process.Pid }
