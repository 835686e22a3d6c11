package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

func (c *call) migrateCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "migrate", Short: "Apply the pending migrations and exit",
		Example: "DATABASE_URL=postgres://localhost/moothall moothall migrate", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error { return c.migrate(command.Context()) },
	}
	command.AddCommand(&cobra.Command{
		Use: "status", Short: "List all migrations and when they were applied",
		Example: "moothall migrate status --config /etc/moothall/moothall.env", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.withAnyDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.listMigrations(command.Context(), d) })
		},
	})
	return command
}

func (c *call) migrate(ctx context.Context) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	d, err := app.OpenDB(ctx, s)
	if err != nil {
		return err
	}
	err = migrate.New(d, app.MigrationOptions(s, c.logger(s))).Run(ctx)
	if closed := d.Close(); err == nil {
		err = closed
	}
	if err == nil {
		_, err = fmt.Fprintln(c.stdout, "The database is up to date.")
	}
	return err
}

// listMigrations lists the migrations. It returns an error if "moothall migrate" would refuse the database.
func (c *call) listMigrations(ctx context.Context, d *db.DB) error {
	all, err := migrate.Status(ctx, d)
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "NUMBER\tNAME\tAPPLIED AT") // Flush returns the error
	for _, m := range all {
		applied := "pending"
		if !m.AppliedAt.IsZero() {
			applied = m.AppliedAt.UTC().Format(time.RFC3339)
		}
		_, _ = fmt.Fprintf(table, "%d\t%s\t%s\n", m.Number, m.Name, applied)
	}
	return errors.Join(err, table.Flush())
}
