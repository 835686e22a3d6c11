package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/delivery/mail"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
)

// maxListed is how many failed deliveries the command lists.
const maxListed = 100

func (c *call) deliveriesCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "deliveries", Short: "List notifications that could not be delivered",
		Example: "moothall deliveries", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.listDeliveries(command.Context(), d) })
		},
	}
	command.AddCommand(&cobra.Command{
		Use: "retry ID|all", Short: "Deliver a failed notification again, or all",
		Example: "moothall deliveries retry all", Args: arguments("an ID, or \"all\""),
		RunE: func(command *cobra.Command, args []string) error {
			return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.retryDeliveries(command.Context(), d, args[0]) })
		},
	})
	return command
}

func (c *call) listDeliveries(ctx context.Context, d *db.DB) error {
	list, err := mail.Failed(ctx, d, maxListed)
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
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", f.ID, f.User, f.Channel, f.Kind, f.FailedAt.Format(time.RFC3339), f.Attempts,
			f.Reason)
	}
	return table.Flush()
}

func (c *call) retryDeliveries(ctx context.Context, d *db.DB, id string) error {
	clock, err := app.CommandClock(ctx, d)
	if err != nil {
		return err
	}
	if id == "all" {
		id = ""
	}
	n, err := mail.Retry(ctx, d, clock.Now(), id)
	if err != nil {
		return err
	}
	if n == 0 && id != "" {
		return fmt.Errorf("no failed delivery %s; \"moothall deliveries\" lists them", id)
	}
	_, err = fmt.Fprintf(c.stdout, "Due again: %d.\n", n)
	return err
}
