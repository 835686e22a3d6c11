package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/ops/demo"
)

func (c *call) seedCommand() *cobra.Command {
	var plan demo.Plan
	var more bool
	command := &cobra.Command{
		Use: "seed", Short: "Fill a database with generated users and events",
		Example: "moothall seed --events 100000 --users 20000 --seed 1", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error { return c.fill(command.Context(), plan, more) },
	}
	command.Flags().IntVar(&plan.Events, "events", 10_000, "number of `events`")
	command.Flags().IntVar(&plan.Users, "users", 1_000, "number of `users`")
	command.Flags().Uint64Var(&plan.Seed, "seed", 1, "random seed: the same `number` generates the same data")
	command.Flags().BoolVar(&more, "append", false, "also fill a database that is not empty")
	return command
}

func (c *call) fill(ctx context.Context, plan demo.Plan, more bool) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	plan.Now = time.Now()
	data, err := demo.NewDataset(plan)
	if err != nil {
		return usageError{fmt.Errorf("moothall seed: %w", err)}
	}
	d, err := app.OpenDB(ctx, s, c.logger(s))
	if err != nil {
		return err
	}
	if err = d.Migrate(ctx); err == nil {
		err = demo.Fill(ctx, demo.Into(d, plan.Now), data, demo.Options{Append: more, Progress: c.stderr})
	}
	if closed := d.Close(); err == nil {
		err = closed
	}
	return err
}
