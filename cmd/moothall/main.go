// Command moothall is the meetup service and its administration.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"moothall/internal/platform/observe"
)

// Exit codes. Scripts can distinguish a wrong command line or setting from other
// failures.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2

	// exitTryAgain makes mail servers try again later (EX_TEMPFAIL of sysexits.h).
	exitTryAgain = 75
)

// flushTimeout is the longest wait at the end of the program until its last lines are
// written to standard error.
const flushTimeout = time.Second

// usageError is a mistake in the command line or the settings.
type usageError struct{ error }

// tryAgainError is a failure after which the caller should try again later.
type tryAgainError struct{ error }

// call is one invocation of the program.
type call struct {
	stdin   io.Reader
	stdout  io.Writer
	stderr  *observe.LogWriter
	environ []string // "NAME=value"
	config  string   // path of the file with settings; empty: none
	started bool     // the command line is valid, and the command runs
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
}

// run runs the program with arguments, files and environment, and returns the exit code.
// A standard error that nobody reads delays the end by at most flushTimeout.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string) int {
	log := observe.NewLogWriter(stderr)
	defer log.Close(flushTimeout)
	c := &call{stdin: stdin, stdout: stdout, stderr: log, environ: environ}
	root := c.rootCommand()
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	command, err := root.ExecuteContextC(ctx)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case !c.started:
		_, _ = fmt.Fprintf(log, "%s: %v; \"%s --help\" describes its arguments\n", command.CommandPath(), err, command.CommandPath())
		return exitUsage
	case errors.As(err, &usage):
		_, _ = fmt.Fprintln(log, err)
		return exitUsage
	}
	_, _ = fmt.Fprintln(log, "moothall:", err)
	if _, later := errors.AsType[tryAgainError](err); later {
		return exitTryAgain
	}
	return exitFailed
}
