package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/db"
)

func (c *call) clockCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "clock", Short: "Show the stored time of the service and the clock that it follows",
		Example: "moothall clock", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.showClock(command.Context(), d) })
		},
	}
	command.AddCommand(&cobra.Command{
		Use: "trust", Short: "Trust this clock after a jump, and show both",
		Example: "moothall clock trust", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.trustClock(command.Context(), d) })
		},
	})
	return command
}

func (c *call) trustClock(ctx context.Context, d *db.DB) error {
	if err := clock.Trust(ctx, d); err != nil {
		return err
	}
	return c.showClock(ctx, d)
}

func (c *call) showClock(ctx context.Context, d *db.DB) error {
	stored, now, err := clock.Compare(ctx, d)
	if err != nil {
		return err
	}
	name, last := "machine", "never"
	if d.Engine() == db.PostgreSQL {
		name = "database"
	}
	if !stored.IsZero() {
		last = stored.Format(time.RFC3339)
	}
	_, err = fmt.Fprintf(c.stdout, "Clock of the %s: %s\nStored time of the service: %s\n", name, now.Format(time.RFC3339), last)
	return err
}
