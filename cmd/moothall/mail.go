package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/spf13/cobra"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/checklist"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
)

func (c *call) mailCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "mail", Short: "Test whether mails arrive, or handle one that came back",
		Example: "moothall mail test anna@example.com", RunE: needsCommand,
	}
	command.AddCommand(&cobra.Command{
		Use: "test ADDRESS", Short: "Say step by step whether mails reach an address",
		Example: "moothall mail test anna@example.com", Args: arguments("ADDRESS"),
		RunE: func(command *cobra.Command, args []string) error {
			return c.testMail(command.Context(), args[0], net.DefaultResolver)
		},
	}, &cobra.Command{
		Use: "receive ADDRESS", Short: "Handle a mail from standard input that came back to an address",
		Example: "moothall mail receive bounces+7f3a@example.org < mail", Args: arguments("ADDRESS"),
		RunE: func(command *cobra.Command, args []string) error {
			if err := c.receiveMail(command.Context(), args[0]); err != nil {
				return tryAgainError{err}
			}
			return nil
		},
	})
	return command
}

// testMail tests the mail server and prints each step. It returns an error if a step fails.
func (c *call) testMail(ctx context.Context, address string, resolver *net.Resolver) error {
	to, err := user.ParseEmail(address)
	if err != nil {
		return usageError{fmt.Errorf("moothall mail test: ADDRESS %w", err)}
	}
	s, err := c.settings()
	if err != nil {
		return err
	}
	if s.SMTP == nil {
		return usageError{errors.New("moothall mail test: SMTP_URL is not set; docs/settings.md describes it")}
	}
	check := smtp.Check{Server: s.SMTP, Bounces: s.MailBounces, Resolver: resolver, Message: smtp.Message{
		From: s.MailFrom, Bounces: s.MailBounces, To: to.ASCII(), Date: domain.SystemClock()(), Subject: "Test of Moothall",
		Text: "This mail was sent by the command \"moothall mail test\".\n",
	}}
	printer := checklist.Printer{To: c.stdout}
	check.Run(ctx, printer.Print)
	return printer.Err("mail test")
}

// receiveMail handles the mail on standard input, which has arrived at an address.
func (c *call) receiveMail(ctx context.Context, address string) error {
	return c.withDB(ctx, func(s app.Settings, d *db.DB) error {
		defer func() { _, _ = io.Copy(io.Discard, c.stdin) }() // the rest, so that the mail server can end its write
		bounces, err := app.NewBounces(ctx, d, s)
		if err != nil {
			return err
		}
		result, err := bounces.Receive(ctx, address, c.stdin)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.stdout, result)
		return err
	})
}
