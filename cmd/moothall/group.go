package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/domain"
	"moothall/internal/meetup/group"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
)

func (c *call) groupCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "group", Short: "Suspend or restore groups", Example: "moothall group suspend --slug chess-club", RunE: needsCommand,
	}
	command.AddCommand(
		c.suspensionCommand("suspend", "Suspend a group: hide it from all but its hosts, and its events from lists", "is suspended",
			group.Suspend),
		c.suspensionCommand("restore", "End the suspension of a group", "is not suspended", group.Restore),
	)
	return command
}

// suspensionCommand returns a command that changes the suspension of the group that its flags name.
func (c *call) suspensionCommand(name, short, result string,
	change func(context.Context, db.Tx, domain.GroupID, time.Time) error) *cobra.Command {
	var id, slug string
	command := &cobra.Command{
		Use: name, Short: short, Example: "moothall group " + name + " --slug chess-club", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			var parsed domain.GroupID
			var err error
			if id != "" {
				if parsed, err = domain.ParseID[domain.GroupKind](id); err != nil {
					return usageError{fmt.Errorf("moothall group: --id: %w", err)}
				}
			}
			return c.changeSuspension(command.Context(), parsed, slug, result, change)
		},
	}
	command.Flags().StringVar(&id, "id", "", "`id` of the group")
	command.Flags().StringVar(&slug, "slug", "", "`end` of the address of its page, after /g/, instead of --id")
	command.MarkFlagsOneRequired("id", "slug")
	command.MarkFlagsMutuallyExclusive("id", "slug")
	return command
}

func (c *call) changeSuspension(ctx context.Context, id domain.GroupID, slug, result string,
	change func(context.Context, db.Tx, domain.GroupID, time.Time) error) error {
	err := c.withDB(ctx, func(_ app.Settings, d *db.DB) error {
		clock, err := app.CommandClock(ctx, d)
		if err != nil {
			return err
		}
		now := clock()
		return d.InTx(ctx, func(tx db.Tx) (err error) {
			if id, err = group.Find(ctx, tx, id, slug, now); err != nil {
				return err
			}
			return change(ctx, tx, id, now)
		})
	})
	switch {
	case errors.Is(err, domain.NotFound):
		return errors.New("there is no such group: check --id or --slug")
	case err == nil:
		_, err = fmt.Fprintf(c.stdout, "%s %s.\n", id, result)
	}
	return err
}
