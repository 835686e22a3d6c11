package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"
)

// liveCommand is the argument that measures realtime, and floorCommand the one that makes this
// program the bare server with which it is compared.
const (
	liveCommand  = "live"
	floorCommand = "live-floor"
)

const liveExample = `go run . live --sockets 5000 --postgres postgres://user@host/postgres`

const socketsOfChat = 100 // that get each message

// liveOptions are the flags of liveCommand.
type liveOptions struct {
	sockets, reconnects, burst, rate, rounds int
	duration                                 time.Duration
	postgres, service, centrifuge            string
}

func parseLive(args []string, stdout io.Writer) (o liveOptions, err error) {
	flags := flag.NewFlagSet("bench live", flag.ContinueOnError)
	flags.IntVar(&o.sockets, "sockets", 10_000, "`number` of sockets, 100 in each chat")
	flags.IntVar(&o.reconnects, "reconnects", 5000, "`number` of sockets that reconnect together")
	flags.IntVar(&o.burst, "burst", 2000, "`number` of messages that are sent as fast as possible")
	flags.IntVar(&o.rate, "rate", 100, "messages a `second` of the first step, each to 100 sockets; each further step has twice as many")
	flags.DurationVar(&o.duration, "time", 3*time.Second, "duration of a step")
	flags.IntVar(&o.rounds, "rounds", 2, "`number` of rounds: in each, all servers take turns")
	flags.StringVar(&o.postgres, "postgres", "",
		"measure two instances on the PostgreSQL server at this `URL`, instead of one on SQLite; the user needs CREATEDB")
	flags.StringVar(&o.service, "moothall", "", "measured `program` (default: built from cmd/moothall)")
	flags.StringVar(&o.centrifuge, "centrifuge", "", "`program` for comparison (default: built from centrifuge)")
	quick := flags.Bool("quick", false, "only check that everything runs: 200 sockets, few messages")
	flags.SetOutput(io.Discard) // execute prints errors
	flags.Usage = func() {
		_, _ = fmt.Fprint(stdout, "bench live: measure sockets, and compare them with a bare server and with centrifuge\n\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		_, _ = fmt.Fprintf(stdout, "\nExample: %s\n", liveExample)
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, usageError{err}
	}
	if *quick {
		o.sockets, o.reconnects, o.burst, o.rate, o.rounds, o.duration = 200, 200, 40, 20, 1, time.Second
	}
	for name, value := range map[string]int{"--sockets": o.sockets, "--reconnects": o.reconnects} {
		if value < socketsOfChat || value%socketsOfChat != 0 {
			return o, usageError{fmt.Errorf("%s must be a multiple of %d", name, socketsOfChat)}
		}
	}
	o.reconnects = min(o.reconnects, o.sockets)
	return o, nil
}

// measureLive measures the bare server, centrifuge and the service in turns.
func measureLive(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseLive(args, stdout)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "moothall-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if o.service == "" {
		o.service = filepath.Join(scratch, "moothall")
		if err := buildProgram(ctx, o.service, repository, "./cmd/moothall", "--moothall"); err != nil {
			return err
		}
	}
	if o.centrifuge == "" {
		o.centrifuge = filepath.Join(scratch, "centrifuge")
		if err := buildProgram(ctx, o.centrifuge, "centrifuge", ".", "--centrifuge"); err != nil {
			return err
		}
	}
	b := &liveBench{liveOptions: o, scratch: scratch, out: tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0), log: stderr}
	for round := range o.rounds {
		b.row("round %d, load average %s", round+1, loadAverage())
		if err := b.round(ctx); err != nil {
			return err
		}
		if err := b.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// buildProgram builds a program of this repository. flag names the program instead.
func buildProgram(ctx context.Context, path, dir, source, flag string) error {
	build := exec.CommandContext(ctx, "go", "build", "-C", dir, "-o", path, source) //nolint:gosec // the path comes from the operator
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build %s, name the program with %s: %w\n%s", filepath.Join(dir, source), flag, err, out)
	}
	return nil
}

// liveBench is one measurement.
type liveBench struct {
	liveOptions
	scratch string
	out     *tabwriter.Writer
	log     io.Writer
	bare    float64 // deliveries of a core by the bare server, in this round
}

func (b *liveBench) row(format string, values ...any) {
	_, _ = fmt.Fprintf(b.out, format+"\n", values...)
}

// round measures each server once.
func (b *liveBench) round(ctx context.Context) error {
	b.bare = 0
	for _, start := range []func(context.Context, *liveServer) error{b.startBare, b.startCentrifuge, b.startService} {
		s := &liveServer{}
		err := start(ctx, s)
		if err == nil {
			err = b.measure(ctx, s)
		}
		if err := errors.Join(err, s.stop()); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
