package main

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/app"
	"moothall/internal/seed"
)

// fill runs the subcommand seed.
func fill(ctx context.Context, c *call) error {
	var plan seed.Plan
	c.flags.IntVar(&plan.Events, "events", 10_000, "number of `events`")
	c.flags.IntVar(&plan.Users, "users", 1_000, "number of `users`")
	c.flags.Uint64Var(&plan.Seed, "seed", 1, "random seed: the same `number` generates the same data")
	more := c.flags.Bool("append", false, "also fill a database that is not empty")
	if err := c.parse(); err != nil {
		return err
	}
	s, err := c.settings()
	if err != nil {
		return err
	}
	plan.Now = time.Now()
	data, err := seed.NewDataset(plan)
	if err != nil {
		return usageError{fmt.Errorf("moothall seed: %w", err)}
	}
	d, err := app.OpenDB(ctx, s, c.logger(s))
	if err != nil {
		return err
	}
	if err = d.Migrate(ctx); err == nil {
		err = seed.Fill(ctx, seed.Into(d, plan.Now), data, seed.Options{Append: *more, Progress: c.stderr})
	}
	if closed := d.Close(); err == nil {
		err = closed
	}
	return err
}
