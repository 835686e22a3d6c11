package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/importer"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
)

// importOptions are the flags of moothall import.
type importOptions struct {
	as, zone string
	publish  bool
}

func (c *call) importCommand() *cobra.Command {
	var o importOptions
	command := &cobra.Command{
		Use: "import FILE", Short: "Turn the coming events of a calendar file into drafts of a user",
		Long: `Turn the coming events of an iCalendar file into drafts of a user. FILE is - for standard input.

A second import of the same calendar changes nothing, except drafts whose events have changed in the calendar and that nobody has edited.`,
		Example: "moothall import events.ics --as anna@example.com --timezone Europe/Berlin", Args: arguments("FILE"),
		RunE: func(command *cobra.Command, args []string) error {
			return c.importCalendar(command.Context(), args[0], o)
		},
	}
	command.Flags().StringVar(&o.as, "as", "", "e-mail `address` of the user")
	command.Flags().StringVar(&o.zone, "timezone", "", "IANA `zone` of times without one, such as Europe/Berlin")
	command.Flags().BoolVar(&o.publish, "publish", false, "publish the new events; this notifies followers")
	_ = command.MarkFlagRequired("as") // the flag exists
	return command
}

// importCalendar imports a file and prints the progress.
func (c *call) importCalendar(ctx context.Context, path string, o importOptions) error {
	email, err := user.ParseEmail(o.as)
	if err != nil {
		return usageError{fmt.Errorf("moothall import: --as: %w", err)}
	}
	var zone *time.Location
	if o.zone != "" {
		if zone, err = time.LoadLocation(o.zone); err != nil || !event.KnownZone(o.zone) {
			return usageError{errors.New("moothall import: --timezone must be an IANA zone such as Europe/Berlin")}
		}
	}
	file, err := c.openCalendar(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, importer.MaxBytes+1))
	if err != nil {
		return err
	}
	return c.withDB(ctx, func(s app.Settings, d *db.DB) error {
		run, err := app.NewImport(ctx, d, s)
		if err != nil {
			return err
		}
		id, err := run.Users.ByEmail(ctx, d, email)
		if errors.Is(err, domain.NotFound) {
			return errors.New(`there is no such account: check --as; "moothall user list" lists all`)
		}
		if err != nil {
			return err
		}
		return c.applyCalendar(ctx, run, domain.Viewer{UserID: id}, data, zone, o.publish)
	})
}

func (c *call) openCalendar(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(c.stdin), nil
	}
	return os.Open(path) //nolint:gosec // the operator chose it
}

// applyCalendar applies all rows of a file, in steps that it prints.
func (c *call) applyCalendar(ctx context.Context, run app.Import, v domain.Viewer, data []byte, zone *time.Location, publish bool) error {
	preview, err := run.Imports.Read(ctx, v, data, zone)
	if err != nil {
		return fmt.Errorf("the file: %w", err)
	}
	created, updated := 0, 0
	total := preview.Counts[importer.StateNew] + preview.Counts[importer.StateChanged]
	for remaining := total; remaining > 0; {
		done, left, err := run.Imports.Apply(ctx, v, preview.ID, nil, false)
		if err != nil {
			return err
		}
		for _, one := range done {
			if !one.Created {
				updated++
				continue
			}
			created++
			if publish {
				if _, err := run.Events.Publish(ctx, v, one.EventID); err != nil {
					return fmt.Errorf("publish %s: %w", one.EventID, err)
				}
			}
		}
		if _, err := fmt.Fprintf(c.stdout, "%d of %d\n", created+updated, total); err != nil {
			return err
		}
		if remaining = left; len(done) == 0 {
			break
		}
	}
	_, err = fmt.Fprintf(c.stdout, "%d created, %d updated, %d unchanged, %d skipped, %d over, %d beyond the limit.\n", created, updated,
		preview.Counts[importer.StateSame], preview.Counts[importer.StateSkipped], preview.Past, preview.LeftOut)
	return err
}
