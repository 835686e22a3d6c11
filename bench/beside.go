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
	"slices"
	"strconv"
	"strings"

	"moothall/bench/report"
)

// besideCommand is the argument that measures two builds of this program in turn.
const besideCommand = "beside"

const besideExample = `mkdir /tmp/old && git -C .. archive COMMIT | tar -x -C /tmp/old && (cd /tmp/old/bench && go build -o bench .)
go run . beside --old /tmp/old/bench/bench -- --events 10k --time 500ms --only "list, join"`

// besideOptions are the flags of besideCommand.
type besideOptions struct {
	old, oldFlags string
	rounds        int
	flags         []string // of each measurement
}

func parseBeside(args []string, stdout io.Writer) (o besideOptions, err error) {
	flags := flag.NewFlagSet("bench beside", flag.ContinueOnError)
	flags.StringVar(&o.old, "old", "", "`program` built from the other commit; it runs in its own folder, with databases of its own schema")
	flags.StringVar(&o.oldFlags, "old-flags", "", "further `flags` of the old program, such as --postgres with a server of its own")
	flags.IntVar(&o.rounds, "rounds", 10, "`number` of rounds; each one measures the old build twice and this one once")
	flags.SetOutput(io.Discard) // execute prints errors
	flags.Usage = func() {
		_, _ = fmt.Fprint(stdout, "bench beside: compare the processor time of requests to two builds, measured in turn\n\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		_, _ = fmt.Fprintf(stdout, "\nThe flags after -- are those of each measurement: go run . --help\n\nExample:\n%s\n", besideExample)
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, usageError{err}
	}
	o.flags = flags.Args()
	switch {
	case o.old == "":
		return o, usageError{errors.New("--old: name the program of the other commit")}
	case o.rounds < 1 || o.rounds > 1000:
		return o, usageError{errors.New("--rounds: must be from 1 to 1000")}
	}
	o.old, err = filepath.Abs(o.old)
	return o, err
}

// measureBeside measures an old build of this program and this one in turn, and prints how their medians differ.
func measureBeside(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseBeside(args, stdout)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	old := build{o.old, filepath.Dir(o.old), slices.Concat(o.flags, strings.Fields(o.oldFlags)), stderr}
	now := build{self, "", o.flags, stderr}
	var t report.Turns
	for round := range o.rounds {
		_, _ = fmt.Fprintf(stderr, "round %d of %d\n", round+1, o.rounds)
		turns := []func() error{
			func() error { return old.measure(ctx, &t.Old) },
			func() error { return now.measure(ctx, &t.New) },
			func() error { return old.measure(ctx, &t.Again) },
		}
		if round%2 == 1 {
			slices.Reverse(turns) // whatever gets slower during a round affects both builds
		}
		for _, turn := range turns {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	_, err = io.WriteString(stdout, t.Markdown())
	return err
}

// build is a build of this program, with the flags of a measurement.
type build struct {
	program, folder string // an empty folder is the present one
	flags           []string
	stderr          io.Writer
}

// measure runs the program and appends its report to reports.
func (b build) measure(ctx context.Context, reports *[]*report.Report) error {
	scratch, err := os.MkdirTemp("", "moothall-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	figures := filepath.Join(scratch, "figures.json")
	c := exec.CommandContext(ctx, b.program, append(slices.Clone(b.flags), "--json", figures)...) //nolint:gosec // the user names the program
	c.Dir, c.Stderr = b.folder, b.stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", b.program, strconv.Quote(strings.Join(b.flags, " ")), err)
	}
	measured, err := readReport(figures)
	*reports = append(*reports, measured)
	return err
}
