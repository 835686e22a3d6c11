package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"moothall/internal/app"
	"moothall/internal/domain"
	"moothall/internal/platform/checklist"
	"moothall/internal/platform/db"
	"moothall/internal/platform/mail"
	"moothall/internal/user"
)

var errMailCall = usageError{errors.New(`moothall mail: needs "test ADDRESS" or "receive ADDRESS"; "moothall mail --help" shows an example`)}

// manageMail tests the delivery of mails, or handles one that came back.
func manageMail(ctx context.Context, c *call) error {
	if err := c.parseFlags(); err != nil {
		return err
	}
	if c.flags.NArg() != 2 {
		return errMailCall
	}
	address := c.flags.Arg(1)
	switch c.flags.Arg(0) {
	case "test":
		return c.testMail(ctx, address, net.DefaultResolver)
	case "receive":
		if err := c.receiveMail(ctx, address); err != nil {
			return tryAgainError{err}
		}
		return nil
	}
	return errMailCall
}

// testMail prints the steps of a check. It fails if one of them does.
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
	check := mail.Check{Server: s.SMTP, Bounces: s.MailBounces, Resolver: resolver, Message: mail.Message{
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
