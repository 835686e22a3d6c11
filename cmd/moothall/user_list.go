package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/account"
	"moothall/internal/platform/checklist"
)

func (c *call) userListCommand() *cobra.Command {
	var limit int
	var before string
	command := &cobra.Command{
		Use: "list", Short: "List the accounts, the newest first",
		Example: "moothall user list --limit 20", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.listUsers(command.Context(), before, limit)
		},
	}
	command.Flags().IntVar(&limit, "limit", 100, "largest `number` of accounts")
	command.Flags().StringVar(&before, "before", "", "`id` of an account: list those created before it")
	return command
}

func (c *call) listUsers(ctx context.Context, before string, limit int) (err error) {
	var from domain.UserID
	if before != "" {
		if from, err = domain.ParseID[domain.UserKind](before); err != nil {
			return usageError{fmt.Errorf("moothall user list: --before: %w", err)}
		}
	}
	if limit < 1 {
		return usageError{errors.New("moothall user list: --limit must be at least 1")}
	}
	return c.withAccounts(ctx, func(s *account.Service) error {
		all, err := s.Users.List(ctx, from, limit)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			_, err := fmt.Fprintln(c.stdout, `No accounts. "moothall user create" creates one.`)
			return err
		}
		table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "ID\tCREATED AT\tSTATE\tUSERNAME\tE-MAIL\tNAME") // Flush returns the error
		for _, u := range all {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", u.ID, u.CreatedAt.UTC().Format(time.RFC3339), stateOf(u), u.Username,
				orDash(u.Email), checklist.OneLine(u.DisplayName))
		}
		if err := table.Flush(); err != nil || len(all) < limit {
			return err
		}
		_, err = fmt.Fprintf(c.stdout, "There may be more: --before %s\n", all[len(all)-1].ID)
		return err
	})
}

func stateOf(u user.Listed) string {
	if u.Suspended {
		return "suspended"
	}
	return "active"
}

func orDash(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}

func (c *call) showUser(ctx context.Context, s *account.Service, id domain.UserID) error {
	u, err := s.Users.Show(ctx, id)
	if err != nil {
		return err
	}
	verified := ""
	if u.Email != nil && !u.EmailVerified {
		verified = " (not verified)"
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"id", u.ID.String()}, {"name", checklist.OneLine(u.DisplayName)}, {"username", u.Username}, {"e-mail", orDash(u.Email) + verified},
		{"phone", orDash(u.Phone)}, {"created at", u.CreatedAt.UTC().Format(time.RFC3339)}, {"state", stateOf(u)},
	} {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", row[0], row[1]) // Flush returns the error
	}
	return table.Flush()
}

func (c *call) userCreateCommand() *cobra.Command {
	var email string
	command := &cobra.Command{
		Use: "create", Short: "Create an account for an e-mail address",
		Long:    "Create an account for an e-mail address. The person who reads its mails can sign in.",
		Example: "moothall user create --email anna@example.com", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			address, err := user.ParseEmail(email)
			if err != nil {
				return usageError{fmt.Errorf("moothall user create: --email %w", err)}
			}
			return c.createUser(command.Context(), address)
		},
	}
	command.Flags().StringVar(&email, "email", "", "e-mail `address` of the account")
	_ = command.MarkFlagRequired("email") // the flag exists
	return command
}

func (c *call) createUser(ctx context.Context, address user.Email) error {
	return c.withAccounts(ctx, func(s *account.Service) error {
		id, err := s.Users.Create(ctx, address)
		if errors.Is(err, user.ErrExists) {
			return fmt.Errorf(`%w: "moothall user show --email %s" shows it`, err, address.Address)
		}
		return c.confirm(err, id, "is created")
	})
}

func (c *call) userDeleteCommand() *cobra.Command {
	yes := false
	command := c.accountCommand("delete", "Delete an account for good", func(ctx context.Context, s *account.Service, id domain.UserID) error {
		if !yes {
			if err := c.ask(ctx, s, id); err != nil {
				return err
			}
		}
		return c.confirm(s.Delete(ctx, id), id, "is deleted")
	})
	command.Flags().BoolVar(&yes, "yes", false, "delete without a question, for scripts")
	return command
}

// ask returns nil if standard input answers "yes" to the question whether to delete an account.
func (c *call) ask(ctx context.Context, s *account.Service, id domain.UserID) error {
	if err := c.showUser(ctx, s, id); err != nil {
		return err
	}
	if _, err := fmt.Fprint(c.stdout, "Delete this account with all its data? It cannot be undone. Type yes: "); err != nil {
		return err
	}
	answer, _ := bufio.NewReader(c.stdin).ReadString('\n') // what cannot be read is no "yes"
	if strings.TrimSpace(answer) != "yes" {
		return errors.New("nothing is deleted: answer yes, or repeat the command with --yes")
	}
	return nil
}
