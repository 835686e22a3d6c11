package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"moothall/internal/account"
	"moothall/internal/app"
	"moothall/internal/domain"
	"moothall/internal/user"
)

// userWork is what can be done with an account.
var userWork = map[string]func(context.Context, *call, *account.Service, domain.UserID) error{
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
		return c.told(s.Delete(ctx, id), id, "is deleted")
	},
	"suspend": func(ctx context.Context, c *call, s *account.Service, id domain.UserID) error {
		return c.told(s.Suspend(ctx, id), id, "is suspended")
	},
	"restore": func(ctx context.Context, c *call, s *account.Service, id domain.UserID) error {
		return c.told(s.Restore(ctx, id), id, "is not suspended")
	},
}

func (c *call) told(err error, id domain.UserID, what string) error {
	if err == nil {
		_, err = fmt.Fprintf(c.stdout, "%s %s.\n", id, what)
	}
	return err
}

var errUserCall = usageError{errors.New(
	"moothall user: takes export, delete, suspend or restore, and one of --id and --email; \"moothall user --help\" has an example")}

// manageUser exports, deletes, suspends or restores one account.
func manageUser(ctx context.Context, c *call) error {
	id := c.flags.String("id", "", "`id` of the account")
	email := c.flags.String("email", "", "its e-mail `address`, instead")
	if len(c.args) > 0 && userWork[c.args[0]] != nil { // flags come behind the word
		c.args = append(c.args[1:], c.args[0])
	}
	if err := c.parseFlags(); err != nil {
		return err
	}
	if c.flags.NArg() != 1 || userWork[c.flags.Arg(0)] == nil || (*id == "") == (*email == "") {
		return errUserCall
	}
	find, err := userFinder(*id, *email)
	if err != nil {
		return err
	}
	s, err := c.settings()
	if err != nil {
		return err
	}
	d, err := app.OpenDB(ctx, s)
	if err != nil {
		return err
	}
	accounts := app.NewAccounts(d, s)
	found, err := find(ctx, accounts)
	if err == nil {
		err = userWork[c.flags.Arg(0)](ctx, c, accounts, found)
	}
	if errors.Is(err, domain.NotFound) {
		err = errors.New("there is no such account")
	}
	return errors.Join(err, d.Close())
}

type finder func(context.Context, *account.Service) (domain.UserID, error)

// userFinder finds the account that the flags name.
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
