package clock

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

var storedAtStmt = db.SQL("clock_test.stored_at", `SELECT noted_at FROM clock`)

// TestStoredTimeIsLowerBound starts with a clock an hour behind the stored time: the
// time goes on from there until the operator trusts the clock.
func TestStoredTimeIsLowerBound(t *testing.T) {
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
		if left := time.Until(c.Now()); left.Abs() > time.Minute || !c.Trusted() ||
			!strings.Contains(log.String(), "the jump of the clock is trusted") {
			t.Errorf("trusted: %v, %v ahead\n%s", c.Trusted(), left, log.String())
		}
	})
}

// TestTimeIsStoredAtTheEnd runs a clock for a moment: it stores the time at its first check and
// at its end.
func TestTimeIsStoredAtTheEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c, err := Open(t.Context(), d, ThisMachine(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		before := c.Now()
		c.Run(ctx)
		var stored time.Time
		if err := d.One(t.Context(), storedAtStmt).Scan(&stored); err != nil || stored.Before(before.Truncate(time.Microsecond)) {
			t.Errorf("stored %v at the end, which is after %v: %v", stored, before, err)
		}
	})
}
