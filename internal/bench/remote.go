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

// startServer starts the program that calls Serve, on the cores when there are
// some, and opens the databases there. stop ends it; so does the end of this
// process.
func startServer(ctx context.Context, program, cores []string, log io.Writer, c Config) (*remote, error) {
	if len(cores) > 0 {
		program = append([]string{"taskset", "-c", strings.Join(cores, ",")}, program...)
	}
	r := &remote{process: exec.CommandContext(ctx, program[0], program[1:]...)} //nolint:gosec // the caller's own program
	r.process.Stderr = log
	var err error
	if r.input, err = r.process.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := r.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.process.Start(); err != nil {
		return nil, err
	}
	r.calls = jsonrpc.NewClient(pipe{output, r.input})
	if err := r.call("Open", c, &r.Addresses); err != nil {
		return nil, errors.Join(err, r.stop())
	}
	return r, nil
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
