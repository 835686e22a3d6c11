package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/bench"
	"moothall/internal/platform/db"
)

// benchServer is how a bench starts this program as the server that it measures.
var benchServer = []string{"bench", "server"}

// benchFlags are the flags of the subcommand bench.
type benchFlags struct {
	bench.Options
	engines, events, callers, only    string
	quick                             bool
	markdown, jsonFile, earlierReport string
}

func (f *benchFlags) define(c *call) {
	c.flags.StringVar(&f.engines, "engine", "", "`engines` to measure: sqlite, postgres or both with a comma; sqlite, and postgres when --postgres is given")
	c.flags.StringVar(&f.events, "events", "10k,100k,1M", "`sizes` of the worlds, in events")
	c.flags.StringVar(&f.callers, "callers", "", "`numbers` of callers at a time, instead of those of most operations")
	c.flags.StringVar(&f.only, "only", "", "`operations` to measure: "+strings.Join(bench.Names(), ", "))
	c.flags.DurationVar(&f.Time, "time", 2*time.Second, "length of one measurement")
	c.flags.StringVar(&f.Dir, "data", filepath.Join("data", "bench"), "`directory` of the databases; the seeded ones are kept for the next time")
	c.flags.StringVar(&f.Postgres, "postgres", "", "`URL` of a PostgreSQL server on which databases may be made (DATABASE_URL, when that is one); moothall_bench_<events> stay")
	c.flags.StringVar(&f.markdown, "markdown", "", "`file` that gets the tables, between its marks")
	c.flags.StringVar(&f.jsonFile, "json", "", "`file` that gets the figures")
	c.flags.StringVar(&f.earlierReport, "compare", "", "`file` of an earlier --json, to compare with")
	c.flags.StringVar(&f.Profiles, "profiles", "", "`directory` that gets a profile of the processor time of each operation")
	c.flags.BoolVar(&f.quick, "quick", false, "only look whether it runs: 1000 events, short measurements, SQLite, nothing is kept")
}

// measure is the subcommand bench.
func measure(ctx context.Context, c *call) error {
	if len(c.args) == 1 && c.args[0] == benchServer[1] {
		return bench.Serve(ctx, os.Stdin, c.stdout, c.stderr)
	}
	var f benchFlags
	f.define(c)
	if err := c.parse(); err != nil {
		return err
	}
	if url, _ := c.lookup("DATABASE_URL"); f.Postgres == "" && strings.HasPrefix(url, "postgres") {
		f.Postgres = url
	}
	if err := f.read(c.flags); err != nil {
		return usageError{fmt.Errorf("moothall bench: %w", err)}
	}
	if f.quick {
		scratch, err := os.MkdirTemp("", "moothall-bench-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(scratch) }()
		f.Dir = scratch
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	f.Server, f.Service = append([]string{program}, benchServer...), []string{program, "serve"}
	f.Pin, f.Progress = true, c.stderr
	report, err := bench.Run(ctx, f.Options)
	return errors.Join(err, f.write(c.stdout, report))
}

// read makes options of the flags.
func (f *benchFlags) read(flags *flag.FlagSet) (err error) {
	given := map[string]bool{}
	flags.Visit(func(g *flag.Flag) { given[g.Name] = true })
	if f.quick {
		f.events, f.engines, f.Time, f.Followers = "1k", "sqlite", 200*time.Millisecond, 1000
		if !given["callers"] {
			f.callers = "16"
		}
	}
	f.People = bench.MostPeople
	f.Samples = int(min(4000, 2*f.Time/time.Millisecond))
	if f.Time < 10*time.Millisecond || f.Time > 10*time.Minute {
		return errors.New("--time must be between 10ms and 10m")
	}
	if f.Events, err = numbers("--events", f.events, 200, 100_000_000); err != nil {
		return err
	}
	if f.callers != "" {
		if f.Callers, err = numbers("--callers", f.callers, 1, bench.MostPeople); err != nil {
			return err
		}
	}
	if f.Only, err = known("--only", f.only, bench.Names()); err != nil {
		return err
	}
	return f.readEngines()
}

func (f *benchFlags) readEngines() error {
	engines, err := known("--engine", f.engines, []string{"sqlite", "postgres"})
	if err != nil {
		return err
	}
	if len(engines) == 0 {
		f.Engines = []db.Engine{db.SQLite}
		if f.Postgres != "" {
			f.Engines = append(f.Engines, db.PostgreSQL)
		}
	}
	for _, name := range engines {
		if name == "sqlite" {
			f.Engines = append(f.Engines, db.SQLite)
			continue
		}
		if f.Postgres == "" {
			return errors.New("--engine postgres needs --postgres")
		}
		f.Engines = append(f.Engines, db.PostgreSQL)
	}
	return nil
}

// numbers reads numbers between commas; 10k is ten thousand, 1M a million.
func numbers(name, text string, least, most int) ([]int, error) {
	var all []int
	for word := range strings.SplitSeq(text, ",") {
		digits, unit := strings.TrimSpace(word), 1
		if d, ok := strings.CutSuffix(digits, "k"); ok {
			digits, unit = d, 1000
		} else if d, ok := strings.CutSuffix(digits, "M"); ok {
			digits, unit = d, 1_000_000
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > most/unit || n*unit < least {
			return nil, fmt.Errorf("%s %q: must be a number from %d to %d", name, word, least, most)
		}
		all = append(all, n*unit)
	}
	return all, nil
}

// known splits at commas and refuses what is not among the names.
func known(name, text string, names []string) ([]string, error) {
	var all []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		if !slices.Contains(names, word) {
			return nil, fmt.Errorf("%s %q: must be one of %s", name, word, strings.Join(names, ", "))
		}
		all = append(all, word)
	}
	return all, nil
}

// write prints the report and puts it where the flags say.
func (f *benchFlags) write(stdout io.Writer, report *bench.Report) error {
	if _, err := io.WriteString(stdout, report.Text()); err != nil {
		return err
	}
	if f.earlierReport != "" {
		text, err := os.ReadFile(f.earlierReport)
		if err != nil {
			return err
		}
		var earlier bench.Report
		if err := json.Unmarshal(text, &earlier); err != nil {
			return fmt.Errorf("%s: %w", f.earlierReport, err)
		}
		if _, err := io.WriteString(stdout, report.Compare(&earlier)); err != nil {
			return err
		}
	}
	if f.jsonFile != "" {
		text, err := json.MarshalIndent(report, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(f.jsonFile, append(text, '\n'), 0o600); err != nil {
			return err
		}
	}
	if f.markdown == "" {
		return nil
	}
	return report.WriteMarkdown(f.markdown)
}
