package postgres

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"moothall/internal/platform/db/driver"
)

// TestUnansweredCommitIsUnavailable ends the context of the caller, and then the time
// that a commit has left: the caller gets ErrUnavailable, not an internal error.
func TestUnansweredCommitIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		end, stop := ending(ctx)
		defer stop()
		leave()
		time.Sleep(endGrace - 1)
		synctest.Wait()
		if end.Err() != nil {
			t.Fatalf("ended early: %v", end.Err())
		}
		time.Sleep(2 * time.Nanosecond)
		synctest.Wait()
		if err := classify.Explain(end, "db: commit", errors.New("timeout")); !errors.Is(err, driver.ErrUnavailable) {
			t.Errorf("%v", err)
		}
	})
}
