package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"

	"moothall/internal/app"
	"moothall/internal/platform/db"
)

// openDB opens the database of the settings, which must exist.
func (c *call) openDB(ctx context.Context) (*db.DB, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	return app.OpenExistingDB(ctx, s)
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

func migrate(ctx context.Context, c *call) error {
	if err := c.parse(); err != nil {
		return err
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

func version(_ context.Context, c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.stdout, "moothall", app.Version)
	return err
}
