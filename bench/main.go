// Command bench measures the service and compares it with the limits of the machine. It runs in
// its folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moothall/bench/floor"
	"moothall/bench/report"
	"moothall/internal/platform/db"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a mistake in the command line.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs main with the given arguments and output, and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var err error
	switch {
	case len(args) == 1 && args[0] == serverCommand:
		err = runServer(ctx, os.Stdin, stdout, stderr)
	case len(args) == 2 && args[0] == floorCommand:
		err = floor.ServeSockets(ctx, args[1])
	case len(args) > 0 && args[0] == liveCommand:
		err = measureLive(ctx, args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == seedCommand:
		err = seed(ctx, args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == besideCommand:
		err = measureBeside(ctx, args[1:], stdout, stderr)
	default:
		err = measureAndReport(ctx, args, stdout, stderr)
	}
	var usage usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &usage):
		_, _ = fmt.Fprintf(stderr, "bench: %v; \"go run . --help\" lists the flags\n", err)
		return exitUsage
	}
	_, _ = fmt.Fprintln(stderr, "bench:", err)
	return exitFailed
}

// serverCommand is the argument that makes this program the measured server.
const serverCommand = "server"

// repository is the root of the repository, from the folder of this program.
const repository = ".."

// commandLine holds the flags.
type commandLine struct {
	options
	events, callers, only            string
	quick                            bool
	markdown, jsonFile, earlier, exe string
}

const example = `go run . --events 100k --only "list, join" --json now.json --compare before.json`

func (c *commandLine) define(flags *flag.FlagSet, stdout io.Writer) {
	flags.StringVar(&c.events, "events", "10k,100k,1M", "`sizes` of the datasets, in events")
	flags.StringVar(&c.callers, "callers", "", "`numbers` of concurrent callers, instead of each operation's own")
	flags.StringVar(&c.only, "only", "", "`operations` to measure: "+strings.Join(operationNames(), ", "))
	flags.DurationVar(&c.Time, "time", 2*time.Second, "duration of one measurement")
	flags.StringVar(&c.Dir, "data", "data", "`directory` of the databases; the seeded ones are kept")
	flags.StringVar(&c.Postgres, "postgres", "",
		"measure on the PostgreSQL server at this `URL` instead of SQLite; the user needs CREATEDB; databases moothall_bench_<events> are kept")
	flags.StringVar(&c.exe, "moothall", "", "`program` whose start time is measured (default: built from cmd/moothall)")
	flags.StringVar(&c.markdown, "markdown", "", "write the tables to this `file`, between the markers of the engine; a missing file is created")
	flags.StringVar(&c.jsonFile, "json", "", "write the figures to this `file`")
	flags.StringVar(&c.earlier, "compare", "", "compare with an earlier --json `file`")
	flags.StringVar(&c.Profiles, "profiles", "", "write a processor profile of each operation to this `directory`")
	flags.BoolVar(&c.quick, "quick", false, "only check that every operation runs: SQLite, 1000 events, short measurements, no databases kept")
	flags.SetOutput(io.Discard) // execute prints errors
	flags.Usage = func() {
		_, _ = fmt.Fprint(stdout, "bench: compare the service with what this machine can do at best\n\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		_, _ = fmt.Fprintf(stdout, "\nExample: %s\n\ngo run . live --help: measure sockets\ngo run . seed --help: fill a database\n"+
			"go run . beside --help: compare two builds\n", example)
	}
}

func measureAndReport(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var c commandLine
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	c.define(flags, stdout)
	if err := c.parse(flags, args); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "moothall-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if c.quick {
		c.Dir = scratch
	}
	earlier, err := readReport(c.earlier)
	if err != nil {
		return err
	}
	if c.markdown != "" {
		if err := report.PrepareMarkdown(c.markdown, c.Engines[0].String()); err != nil {
			return fmt.Errorf("--markdown: %w", err)
		}
	}
	if c.exe == "" {
		c.exe = filepath.Join(scratch, "moothall")
		if err := buildProgram(ctx, c.exe, repository, "./cmd/moothall", "--moothall"); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c.Server, c.Service, c.Starts = []string{self, serverCommand}, []string{c.exe, "serve"}, 3
	c.Pin, c.Progress = true, stderr
	result, err := run(ctx, c.options)
	return errors.Join(err, c.write(stdout, result, earlier))
}

// parse turns the flags into options.
func (c *commandLine) parse(flags *flag.FlagSet, args []string) (err error) {
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError{err}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	}
	c.Users, c.Followers, c.Posts = maxCallers, mostFollowers, mostPosts
	if c.quick && c.Postgres != "" {
		return usageError{errors.New("--quick measures on SQLite: omit --postgres")}
	}
	if c.quick {
		c.events, c.Time, c.Followers = "1k", 200*time.Millisecond, 1000
		if c.callers == "" {
			c.callers = "16"
		}
	}
	if c.Time < 10*time.Millisecond || c.Time > 10*time.Minute {
		return usageError{errors.New("--time: must be from 10ms to 10m")}
	}
	c.Engines = []db.Engine{db.SQLite}
	if c.Postgres != "" {
		c.Engines = []db.Engine{db.PostgreSQL}
	}
	if c.Events, err = parseNumbers("--events", c.events, 200, 100_000_000); err != nil {
		return err
	}
	if c.callers != "" {
		if c.Callers, err = parseNumbers("--callers", c.callers, 1, maxCallers); err != nil {
			return err
		}
	}
	c.Only, err = parseNames("--only", c.only, operationNames())
	return err
}

// parseNumbers parses a comma-separated list; 10k is ten thousand, 1M a million.
func parseNumbers(name, text string, least, most int) (all []int, err error) {
	for word := range strings.SplitSeq(text, ",") {
		digits, unit := strings.TrimSpace(word), 1
		if d, ok := strings.CutSuffix(digits, "k"); ok {
			digits, unit = d, 1000
		} else if d, ok := strings.CutSuffix(digits, "M"); ok {
			digits, unit = d, 1_000_000
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > most/unit || n*unit < least {
			return nil, usageError{fmt.Errorf("%s %q: must be a number from %d to %d", name, word, least, most)}
		}
		all = append(all, n*unit)
	}
	return all, nil
}

// parseNames parses a comma-separated list of some of the names.
func parseNames(name, text string, names []string) (all []string, err error) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		if !slices.Contains(names, word) {
			return nil, usageError{fmt.Errorf("%s %q: must be one of %s", name, word, strings.Join(names, ", "))}
		}
		all = append(all, word)
	}
	return all, nil
}

// readReport reads an earlier --json file; nil for an empty path.
func readReport(path string) (*report.Report, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil, fmt.Errorf("--compare: %w", err)
	}
	var earlier report.Report
	if err := json.Unmarshal(text, &earlier); err != nil {
		return nil, fmt.Errorf("--compare: %s is not a --json file: %w", path, err)
	}
	return &earlier, nil
}

// write prints the report and writes the files that the flags name.
func (c *commandLine) write(stdout io.Writer, result, earlier *report.Report) error {
	text := result.Markdown()
	if earlier != nil {
		text += result.Compare(earlier)
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		return err
	}
	if c.jsonFile != "" {
		text, err := json.MarshalIndent(result, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.jsonFile, append(text, '\n'), 0o600); err != nil {
			return err
		}
	}
	if c.markdown == "" {
		return nil
	}
	return result.WriteMarkdown(c.markdown)
}
