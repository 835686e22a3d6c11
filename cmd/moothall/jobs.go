package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

func (c *call) jobsCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "jobs", Short: "List discarded jobs",
		Example: "moothall jobs", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.listJobs(command.Context(), d) })
		},
	}
	command.AddCommand(
		&cobra.Command{
			Use: "retry KIND KEY", Short: "Run a discarded job again",
			Example: "moothall jobs retry account.erase 019a8b6e-3c10-7c02-8f4d-5b1c2d3e4f50", Args: arguments("KIND", "KEY"),
			RunE: func(command *cobra.Command, args []string) error {
				return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.retryJob(command.Context(), d, args[0], args[1]) })
			},
		},
		&cobra.Command{
			Use: "delete KIND KEY", Short: "Delete a discarded job, whose work is then never done",
			Example: "moothall jobs delete emailsignin.send 019a8b6e-3c10-7c02-8f4d-5b1c2d3e4f50", Args: arguments("KIND", "KEY"),
			RunE: func(command *cobra.Command, args []string) error {
				return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.deleteJob(command.Context(), d, args[0], args[1]) })
			},
		},
	)
	return command
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
	clock, err := app.CommandClock(ctx, d)
	if err != nil {
		return err
	}
	found, err := job.Retry(ctx, d, clock.Now(), kind, key)
	if err != nil {
		return err
	}
	if !found {
		return notDiscarded(kind, key)
	}
	_, err = fmt.Fprintf(c.stdout, "%s %s is due again.\n", kind, key)
	return err
}

func (c *call) deleteJob(ctx context.Context, d *db.DB, kind, key string) error {
	found, err := job.Delete(ctx, d, kind, key)
	if err != nil {
		return err
	}
	if !found {
		return notDiscarded(kind, key)
	}
	_, err = fmt.Fprintf(c.stdout, "%s %s is deleted.\n", kind, key)
	return err
}

func notDiscarded(kind, key string) error {
	return fmt.Errorf("no discarded job %s %s; \"moothall jobs\" lists them", kind, key)
}
