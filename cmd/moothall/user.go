package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/account"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
)

func (c *call) userCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "user", Short: "List, create, show, export, delete, suspend or restore accounts",
		Example: "moothall user export --email anna@example.com > anna.json", RunE: needsCommand,
	}
	command.AddCommand(
		c.userListCommand(), c.userCreateCommand(), c.userDeleteCommand(),
		c.accountCommand("show", "Print the facts about an account", c.showUser),
		c.accountCommand("export", "Print all data of an account as JSON", func(ctx context.Context, s *account.Service, id domain.UserID) error {
			all, err := s.Export(ctx, id)
			if err != nil {
				return err
			}
			out := json.NewEncoder(c.stdout)
			out.SetIndent("", "  ")
			return out.Encode(all)
		}),
		c.accountCommand("suspend", "Suspend an account: sign it out and hide it", func(ctx context.Context, s *account.Service,
			id domain.UserID) error {
			return c.confirm(s.Suspend(ctx, id), id, "is suspended")
		}),
		c.accountCommand("restore", "End the suspension of an account", func(ctx context.Context, s *account.Service, id domain.UserID) error {
			return c.confirm(s.Restore(ctx, id), id, "is not suspended")
		}),
	)
	return command
}

// confirm prints a confirmation, unless err is set.
func (c *call) confirm(err error, id domain.UserID, what string) error {
	if err == nil {
		_, err = fmt.Fprintf(c.stdout, "%s %s.\n", id, what)
	}
	return err
}

// accountCommand returns a command that runs an action on the account that its flags name.
func (c *call) accountCommand(name, short string, action func(context.Context, *account.Service, domain.UserID) error) *cobra.Command {
	var id, email string
	command := &cobra.Command{
		Use: name, Short: short,
		Example: "moothall user " + name + " --email anna@example.com", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			find, err := userFinder(id, email)
			if err != nil {
				return err
			}
			return c.withAccount(command.Context(), find, action)
		},
	}
	command.Flags().StringVar(&id, "id", "", "`id` of the account")
	command.Flags().StringVar(&email, "email", "", "e-mail `address` of the account, instead of --id")
	command.MarkFlagsOneRequired("id", "email")
	command.MarkFlagsMutuallyExclusive("id", "email")
	return command
}

// withAccount looks an account up and runs an action on it.
func (c *call) withAccount(ctx context.Context, find finder, action func(context.Context, *account.Service, domain.UserID) error) error {
	err := c.withAccounts(ctx, func(s *account.Service) error {
		found, err := find(ctx, s)
		if err != nil {
			return err
		}
		return action(ctx, s, found)
	})
	if errors.Is(err, domain.NotFound) {
		return errors.New(`there is no such account: check --id or --email; "moothall user list" lists all`)
	}
	return err
}

// withAccounts runs fn with the accounts of the database.
func (c *call) withAccounts(ctx context.Context, fn func(*account.Service) error) error {
	return c.withDB(ctx, func(s app.Settings, d *db.DB) error {
		accounts, err := app.NewAccounts(ctx, d, s)
		if err != nil {
			return err
		}
		return fn(accounts)
	})
}

type finder func(context.Context, *account.Service) (domain.UserID, error)

// userFinder returns a function that finds the account that the flags name.
func userFinder(id, email string) (finder, error) {
	if id != "" {
		parsed, err := domain.ParseID[domain.UserKind](id)
		if err != nil {
			return nil, usageError{fmt.Errorf("moothall user: --id: %w", err)}
		}
		return func(ctx context.Context, s *account.Service) (domain.UserID, error) {
			a, err := s.Users.Account(ctx, s.DB, parsed)
			return a.Profile.UserID, err
		}, nil
	}
	parsed, err := user.ParseEmail(email)
	if err != nil {
		return nil, usageError{fmt.Errorf("moothall user: --email: %w", err)}
	}
	return func(ctx context.Context, s *account.Service) (domain.UserID, error) {
		return s.Users.ByEmail(ctx, s.DB, parsed)
	}, nil
}
