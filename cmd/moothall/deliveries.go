package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"moothall/internal/app"
	"moothall/internal/deliver"
	"moothall/internal/platform/db"
)

// maxListed is how many failed deliveries the command lists.
const maxListed = 100

// deliveries lists the failed deliveries, or makes one or all of them due again.
func deliveries(ctx context.Context, c *call) error {
	if err := c.parseFlags(); err != nil {
		return err
	}
	work := c.listDeliveries
	if args := c.flags.Args(); len(args) == 2 && args[0] == "retry" {
		work = func(ctx context.Context, d *db.DB) error { return c.retryDeliveries(ctx, d, args[1]) }
	} else if len(args) > 0 {
		return usageError{errors.New("moothall deliveries: needs no argument, \"retry ID\" or \"retry all\"; \"moothall deliveries --help\" shows an example")}
	}
	return c.withDB(ctx, func(_ app.Settings, d *db.DB) error { return work(ctx, d) })
}

func (c *call) listDeliveries(ctx context.Context, d *db.DB) error {
	list, err := deliver.Failed(ctx, d, maxListed)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(c.stdout, "No failed deliveries.")
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tUSER\tCHANNEL\tKIND\tFAILED AT\tATTEMPTS\tERROR") // Flush returns the error
	for _, f := range list {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", f.ID, f.User, f.Channel, f.Kind, f.FailedAt.Format(time.RFC3339), f.Attempts, f.Reason)
	}
	return table.Flush()
}

func (c *call) retryDeliveries(ctx context.Context, d *db.DB, id string) error {
	now, err := app.CommandClock(ctx, d)
	if err != nil {
		return err
	}
	if id == "all" {
		id = ""
	}
	n, err := deliver.Retry(ctx, d, now.Now(), id)
	if err != nil {
		return err
	}
	if n == 0 && id != "" {
		return fmt.Errorf("no failed delivery %s; \"moothall deliveries\" lists them", id)
	}
	_, err = fmt.Fprintf(c.stdout, "Due again: %d.\n", n)
	return err
}
