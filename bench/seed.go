package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"moothall/bench/bulk"
	"moothall/bench/dataset"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

// seedCommand is the argument that fills a database with generated data.
const seedCommand = "seed"

const seedExample = `go run . seed --database sqlite:../data/moothall.db --events 100000 --users 20000`

// seedOptions are the flags of seedCommand.
type seedOptions struct {
	database string
	plan     dataset.Plan
	more     bool
}

func parseSeed(args []string, stdout io.Writer) (o seedOptions, err error) {
	flags := flag.NewFlagSet("bench seed", flag.ContinueOnError)
	flags.StringVar(&o.database, "database", os.Getenv("DATABASE_URL"), "`URL` of the database (default: DATABASE_URL)")
	flags.IntVar(&o.plan.Events, "events", 10_000, "number of `events`")
	flags.IntVar(&o.plan.Users, "users", 1_000, "number of `users`")
	flags.Uint64Var(&o.plan.Seed, "seed", 1, "random seed: the same `number` generates the same data")
	flags.BoolVar(&o.more, "append", false, "also fill a database that is not empty")
	flags.SetOutput(io.Discard) // execute prints errors
	flags.Usage = func() {
		_, _ = fmt.Fprint(stdout, "bench seed: fill a database with generated users and events\n\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		_, _ = fmt.Fprintf(stdout, "\nExample: %s\n", seedExample)
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, usageError{err}
	}
	switch {
	case flags.NArg() > 0:
		return o, usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	case o.database == "":
		return o, usageError{errors.New("--database: name the database")}
	}
	return o, nil
}

// seed fills a database with data around the current day.
func seed(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseSeed(args, stdout)
	if err != nil {
		return err
	}
	o.plan.Now = time.Now()
	data, err := dataset.New(o.plan)
	if err != nil {
		return usageError{err}
	}
	return fill(ctx, o.database, data, bulk.Options{Append: o.more, Progress: stderr})
}

// fill migrates a database and fills it.
func fill(ctx context.Context, address string, data *dataset.Dataset, opts bulk.Options) error {
	d, err := db.Open(ctx, address, db.Options{})
	if err != nil {
		return err
	}
	if err = migrate.Run(ctx, d); err == nil {
		err = bulk.Fill(ctx, d, data, opts)
	}
	return errors.Join(err, d.Close())
}
