package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"moothall/internal/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// jobs lists the discarded jobs, or makes one of them due again.
func jobs(ctx context.Context, c *call) error {
	if err := c.parseFlags(); err != nil {
		return err
	}
	work := c.listJobs
	if args := c.flags.Args(); len(args) == 3 && args[0] == "retry" {
		work = func(ctx context.Context, d *db.DB) error { return c.retryJob(ctx, d, args[1], args[2]) }
	} else if len(args) > 0 {
		return usageError{errors.New("moothall jobs: needs no argument, or \"retry KIND KEY\"; \"moothall jobs --help\" shows an example")}
	}
	return c.withDB(ctx, func(_ app.Settings, d *db.DB) error { return work(ctx, d) })
}

func (c *call) listJobs(ctx context.Context, d *db.DB) error {
	list, err := job.Discarded(ctx, d)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(c.stdout, "No discarded jobs.")
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "KIND\tKEY\tDISCARDED AT\tATTEMPTS\tLAST ERROR") // Flush returns the error
	for _, j := range list {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\n", j.Kind, j.Key, j.FailedAt.Format(time.RFC3339), j.Attempts, j.LastError)
	}
	return table.Flush()
}

func (c *call) retryJob(ctx context.Context, d *db.DB, kind, key string) error {
	now, err := app.CommandClock(ctx, d)
	if err != nil {
		return err
	}
	found, err := job.Retry(ctx, d, now.Now(), kind, key)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("no discarded job %s %s; \"moothall jobs\" lists them", kind, key)
	}
	_, err = fmt.Fprintf(c.stdout, "%s %s is due again.\n", kind, key)
	return err
}
