package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

// withDB runs fn with the settings and their database, which must exist and have tables.
func (c *call) withDB(ctx context.Context, fn func(app.Settings, *db.DB) error) error {
	return c.withAnyDB(ctx, func(s app.Settings, d *db.DB) error {
		all, err := migrate.Status(ctx, d)
		if err == nil && all[0].AppliedAt.IsZero() { // the error for a newer database does not matter
			return errors.New("the database has no tables: correct DATABASE_URL or --config; " +
				`for a new database, start the service or run "moothall migrate"`)
		}
		return fn(s, d)
	})
}

// withAnyDB runs fn with the settings and their database, which must exist.
func (c *call) withAnyDB(ctx context.Context, fn func(app.Settings, *db.DB) error) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	d, err := app.OpenExistingDB(ctx, s)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: run the command with the settings of the service: DATABASE_URL or --config", err)
	}
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

func (c *call) serveCommand() *cobra.Command {
	var demo bool
	command := &cobra.Command{
		Use: "serve", Short: "Serve the pages and the API until SIGINT or SIGTERM",
		Example: "moothall serve --demo", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error { return c.serve(command.Context(), demo) },
	}
	command.Flags().BoolVar(&demo, "demo", false, "fill an empty database with events and users, such as anna@example.org")
	return command
}

func (c *call) serve(ctx context.Context, demo bool) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // the reader of the log may end before the service
	log := c.logger(s)
	for _, warning := range app.Misspelt(c.environ) {
		log.Warn(warning)
	}
	if err := app.CheckAddresses(s); err != nil { // before anything is created
		return err
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
	if demo {
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
