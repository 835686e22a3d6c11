package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"moothall/internal/app"
	"moothall/internal/platform/db"
)

// withDB runs fn with the settings and their database, which must exist.
func (c *call) withDB(ctx context.Context, fn func(app.Settings, *db.DB) error) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	d, err := app.OpenExistingDB(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(fn(s, d), d.Close())
}

func (c *call) logger(s app.Settings) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.LogLevel}
	return slog.New(c.stderr.Handler(func(w io.Writer) slog.Handler {
		if s.LogFormat == "json" {
			return slog.NewJSONHandler(w, options)
		}
		return slog.NewTextHandler(w, options)
	}))
}

func serve(ctx context.Context, c *call) error {
	demo := c.flags.Bool("demo", false, "fill an empty database with events and users, such as anna@example.org")
	if err := c.parse(); err != nil {
		return err
	}
	s, err := c.settings()
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // the reader of the log may end before the service
	log := c.logger(s)
	for _, warning := range app.Misspelt(c.environ) {
		log.Warn(warning)
	}
	release, err := db.LockForServing(s.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the end of the process releases it, too
	a, err := app.New(ctx, s, nil, log)
	if err != nil {
		return err
	}
	a.AddMetrics(c.stderr.Dropped())
	if *demo {
		err = a.FillDemo(ctx)
	}
	if err == nil {
		err = a.Run(ctx)
	}
	if closed := a.Close(); err == nil {
		err = closed
	}
	return err
}

// migrate applies the pending migrations, or lists all.
func migrate(ctx context.Context, c *call) error {
	if err := c.parseFlags(); err != nil {
		return err
	}
	switch args := c.flags.Args(); {
	case len(args) == 1 && args[0] == "status":
		return c.withDB(ctx, func(_ app.Settings, d *db.DB) error { return c.listMigrations(ctx, d) })
	case len(args) > 0:
		return usageError{errors.New("moothall migrate: needs no argument, or \"status\"; \"moothall migrate --help\" shows an example")}
	}
	s, err := c.settings()
	if err != nil {
		return err
	}
	d, err := app.OpenDB(ctx, s, c.logger(s))
	if err != nil {
		return err
	}
	err = d.Migrate(ctx)
	if closed := d.Close(); err == nil {
		err = closed
	}
	if err == nil {
		_, err = fmt.Fprintln(c.stdout, "The database is up to date.")
	}
	return err
}

// listMigrations fails if "moothall migrate" would refuse the database.
func (c *call) listMigrations(ctx context.Context, d *db.DB) error {
	all, err := d.Migrations(ctx)
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

func version(_ context.Context, c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.stdout, "moothall", app.Version)
	return err
}
