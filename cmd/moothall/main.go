// Command moothall is the meetup service and its administration.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"moothall/internal/platform/logging"
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

// flushTimeout limits how long the end of the program waits until its last lines are
// written to standard error.
const flushTimeout = time.Second

// usageError is a mistake in the command line or the settings.
type usageError struct{ error }

// tryAgainError is a failure after which the caller should try again later.
type tryAgainError struct{ error }

// command is one subcommand.
type command struct {
	name, what, example string
	run                 func(ctx context.Context, c *call) error
}

// commands lists all subcommands in the order of the help text.
var commands = []command{
	{"serve", "serve the API until SIGINT or SIGTERM", "moothall serve --demo", serve},
	{"seed", "fill a database with generated users and events", "moothall seed --events 100000 --users 20000 --seed 1", fill},
	{"jobs", "list discarded jobs; with \"retry KIND KEY\", run one of them again", "moothall jobs retry account.erase 019a8b6e-3c10-7c02-8f4d-5b1c2d3e4f50", jobs},
	{"deliveries", "list notifications that could not be delivered; with \"retry ID\" or \"retry all\", try again", "moothall deliveries retry all", deliveries},
	{"mail", "say step by step whether mails reach ADDRESS; with \"receive ADDRESS\", handle a mail from standard input that came back", "moothall mail test anna@example.com", manageMail},
	{"payments", "list the payments to refund; with \"send TYPE ID\", send a webhook of the development provider",
		"moothall payments send payment.succeeded dev_0f1e2d3c4b5a69788796a5b4", payments},
	{"user", "export, delete, suspend or restore an account", "moothall user export --email anna@example.com > anna.json", manageUser},
	{"clock", "show the last time of the service and the clock that it follows; with \"trust\", believe that clock after a jump", "moothall clock trust", manageClock},
	{"backup", "write everything into FILE, while the service runs", "moothall backup --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p moothall.backup", writeBackup},
	{"verify", "read a backup and check that it is complete", "moothall verify --identity key.txt moothall.backup", verifyBackup},
	{"restore", "write a backup into an empty database of either engine", "DATABASE_URL=postgres://localhost/moothall moothall restore --identity key.txt moothall.backup", restoreBackup},
	{"config", "print the settings in force and where they come from, and check them", "moothall config --config /etc/moothall.env", printConfig},
	{"doctor", "check the settings, the database and everything around it, and say what to do", "moothall doctor --config /etc/moothall.env", doctor},
	{"healthcheck", "succeed if the service answers GET /healthz with 200 within two seconds", "moothall healthcheck --url http://127.0.0.1:8080", healthcheck},
	{"migrate", "apply the pending migrations and exit; with \"status\", list all and when they were applied", "DATABASE_URL=postgres://localhost/moothall moothall migrate", migrate},
	{"version", "print the version", "moothall version", version},
}

// call is one invocation of a subcommand.
type call struct {
	flags   *flag.FlagSet
	args    []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  *logging.Writer
	environ []string // "NAME=value"
	config  string   // path of the file with settings; empty: none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
}

// run runs main with the given arguments, files and environment, and returns the exit
// code. A standard error that nobody reads delays the end by at most flushTimeout.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string) int {
	log := logging.NewWriter(stderr)
	defer log.Close(flushTimeout)
	err := dispatch(ctx, args, stdin, stdout, log, environ)
	var usage usageError
	var later tryAgainError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &later):
		_, _ = fmt.Fprintln(log, "moothall:", err)
		return exitTryAgain
	case errors.As(err, &usage):
		_, _ = fmt.Fprintln(log, err)
		return exitUsage
	}
	_, _ = fmt.Fprintln(log, "moothall:", err)
	return exitFailed
}

func dispatch(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer, stderr *logging.Writer, environ []string) error {
	if len(args) == 0 {
		return usageError{errors.New("moothall: no command given\n\n" + help())}
	}
	if slices.Contains(args, "--version") {
		args = []string{"version"}
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(stdout, help())
		return err
	}
	for _, cmd := range commands {
		if cmd.name == name {
			c := &call{args: args[1:], stdin: stdin, stdout: stdout, stderr: stderr, environ: environ}
			c.flags = flag.NewFlagSet(name, flag.ContinueOnError)
			c.flags.SetOutput(io.Discard) // parseFlags reports errors in one line
			c.flags.Usage = func() { _, _ = io.WriteString(stdout, cmd.help(c.flags)) }
			return cmd.run(ctx, c)
		}
	}
	return usageError{fmt.Errorf("moothall: unknown command %q; the commands are %s; \"moothall help\" describes them",
		name, strings.Join(names(), ", "))}
}

// parse parses the flags that the subcommand has defined and refuses other
// arguments.
func (c *call) parse() error {
	if err := c.parseFlags(); err != nil {
		return err
	}
	if c.flags.NArg() > 0 {
		return usageError{fmt.Errorf("moothall %s: unexpected argument %q; \"moothall %s --help\" lists the flags",
			c.flags.Name(), c.flags.Arg(0), c.flags.Name())}
	}
	return nil
}

// parseFlags is parse for subcommands that take arguments.
func (c *call) parseFlags() error {
	c.flags.StringVar(&c.config, "config", "", "`file` with settings, a NAME=value on each line; variables of the environment win")
	err := c.flags.Parse(c.args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return usageError{fmt.Errorf("moothall %s: %w; \"moothall %s --help\" lists the flags", c.flags.Name(), err, c.flags.Name())}
}

func names() []string {
	list := make([]string, len(commands))
	for i, cmd := range commands {
		list[i] = cmd.name
	}
	return list
}

func help() string {
	var b strings.Builder
	b.WriteString("Moothall: find meetups near you, join them, or organize your own.\n\nUsage: moothall <command> [flags]\n\n")
	for _, cmd := range commands {
		fmt.Fprintf(&b, "  %-11s %s\n", cmd.name, cmd.what)
	}
	b.WriteString("\n\"moothall <command> --help\" shows the flags and an example. Settings are environment\nvariables, or lines of the file of --config; docs/settings.md lists them.\n")
	return b.String()
}

func (cmd command) help(flags *flag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "moothall %s: %s\n\n", cmd.name, cmd.what)
	flags.SetOutput(&b)
	flags.PrintDefaults()
	fmt.Fprintf(&b, "\nExample: %s\n", cmd.example)
	return b.String()
}
