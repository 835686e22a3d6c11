package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/app"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/db"
)

// manageClock shows the time of the service and the clock that it follows, or believes that
// clock after a jump.
func manageClock(ctx context.Context, c *call) error {
	if err := c.parseFlags(); err != nil {
		return err
	}
	args := c.flags.Args()
	if len(args) > 1 || len(args) == 1 && args[0] != "trust" {
		return usageError{errors.New("moothall clock: needs no argument, or \"trust\"; \"moothall clock --help\" shows an example")}
	}
	return c.withDB(ctx, func(_ app.Settings, d *db.DB) error {
		if len(args) == 1 {
			if err := clock.Trust(ctx, d); err != nil {
				return err
			}
		}
		return c.showClock(ctx, d)
	})
}

func (c *call) showClock(ctx context.Context, d *db.DB) error {
	noted, now, err := clock.Compare(ctx, d)
	if err != nil {
		return err
	}
	name, last := "machine", "never"
	if d.Engine() == db.PostgreSQL {
		name = "database"
	}
	if !noted.IsZero() {
		last = noted.Format(time.RFC3339)
	}
	_, err = fmt.Fprintf(c.stdout, "Clock of the %s: %s\nLast time of the service: %s\n", name, now.Format(time.RFC3339), last)
	return err
}
