// Command withcluster runs a command, and one PostgreSQL cluster for all test processes that the command
// starts:
//
//	go run ./internal/test/pgtest/withcluster go test ./...
//
// It exits with the status of the command. The cluster ends with it, also after an interrupt or if
// withcluster is killed.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"moothall/internal/test/pgtest"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] == "--help" {
		fmt.Fprintln(os.Stderr, "usage: withcluster COMMAND [ARGUMENT ...]\nexample: withcluster go test ./...")
		os.Exit(2)
	}
	status, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "withcluster:", err)
	}
	os.Exit(status)
}

// run returns the exit status of the command. A terminal sends its interrupt to the command, too, so
// run waits for the command.
func run(args []string) (status int, err error) {
	cluster, variable, err := pgtest.Shared()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), variable)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s) // the command may have ended
		}
	}()
	if err := cmd.Wait(); err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			return max(1, failed.ExitCode()), nil
		}
		return 1, err
	}
	return 0, nil
}
