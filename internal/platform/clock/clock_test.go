package clock

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
)

var notedAtStmt = db.SQL("clock_test.noted_at", `SELECT noted_at FROM clock`)

// TestTimeInStoreIsLowerBound starts with a clock an hour behind the time in the store: the
// time goes on from there until the operator trusts the clock.
func TestTimeInStoreIsLowerBound(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		later := time.Now().Add(time.Hour)
		_, err := d.Exec(t.Context(), trustStmt, later)
		must(err)
		var log strings.Builder
		c, err := Open(t.Context(), d, ThisMachine(), slog.New(slog.NewTextHandler(&log, nil)))
		must(err)
		must(c.Check(t.Context()))
		if c.Now().Before(later.Truncate(time.Microsecond)) || c.Trusted() || !strings.Contains(log.String(), "the clock has jumped") {
			t.Errorf("an hour behind: %v, trusted %v\n%s", c.Now(), c.Trusted(), log.String())
		}
		must(Trust(t.Context(), d))
		must(c.Check(t.Context()))
		if left := time.Until(c.Now()); left.Abs() > time.Minute || !c.Trusted() || !strings.Contains(log.String(), "the clock is believed") {
			t.Errorf("trusted: %v, %v ahead\n%s", c.Trusted(), left, log.String())
		}
	})
}

// TestTimeIsNotedAtTheEnd runs a clock for a moment: it notes the time at its first check and
// at its end.
func TestTimeIsNotedAtTheEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c, err := Open(t.Context(), d, ThisMachine(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		before := c.Now()
		c.Run(ctx)
		var noted time.Time
		if err := d.One(t.Context(), notedAtStmt).Scan(&noted); err != nil || noted.Before(before.Truncate(time.Microsecond)) {
			t.Errorf("noted %v at the end, which is after %v: %v", noted, before, err)
		}
	})
}
