package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"moothall/internal/account"
	"moothall/internal/app"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// userActions are the actions on an account.
var userActions = map[string]func(context.Context, *call, *account.Service, domain.UserID) error{
	"export": func(ctx context.Context, c *call, s *account.Service, id domain.UserID) error {
		all, err := s.Export(ctx, id)
		if err != nil {
			return err
		}
		out := json.NewEncoder(c.stdout)
		out.SetIndent("", "  ")
		return out.Encode(all)
	},
	"delete": func(ctx context.Context, c *call, s *account.Service, id domain.UserID) error {
		return c.confirm(s.Delete(ctx, id), id, "is deleted")
	},
	"suspend": func(ctx context.Context, c *call, s *account.Service, id domain.UserID) error {
		return c.confirm(s.Suspend(ctx, id), id, "is suspended")
	},
	"restore": func(ctx context.Context, c *call, s *account.Service, id domain.UserID) error {
		return c.confirm(s.Restore(ctx, id), id, "is not suspended")
	},
}

// confirm prints a confirmation, unless err is set.
func (c *call) confirm(err error, id domain.UserID, what string) error {
	if err == nil {
		_, err = fmt.Fprintf(c.stdout, "%s %s.\n", id, what)
	}
	return err
}

var errUserCall = usageError{errors.New(
	"moothall user: needs one of export, delete, suspend and restore, and one of --id and --email; \"moothall user --help\" shows an example")}

// manageUser exports, deletes, suspends or restores one account.
func manageUser(ctx context.Context, c *call) error {
	id := c.flags.String("id", "", "`id` of the account")
	email := c.flags.String("email", "", "e-mail `address` of the account, instead of --id")
	if len(c.args) > 0 && userActions[c.args[0]] != nil { // the flags follow the action
		c.args = append(c.args[1:], c.args[0])
	}
	if err := c.parseFlags(); err != nil {
		return err
	}
	if c.flags.NArg() != 1 || userActions[c.flags.Arg(0)] == nil || (*id == "") == (*email == "") {
		return errUserCall
	}
	find, err := userFinder(*id, *email)
	if err != nil {
		return err
	}
	err = c.withDB(ctx, func(s app.Settings, d *db.DB) error {
		accounts, err := app.NewAccounts(ctx, d, s)
		if err != nil {
			return err
		}
		found, err := find(ctx, accounts)
		if err != nil {
			return err
		}
		return userActions[c.flags.Arg(0)](ctx, c, accounts, found)
	})
	if errors.Is(err, domain.NotFound) {
		return errors.New("there is no such account; check --id or --email")
	}
	return err
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
