package realtime

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"moothall/internal/domain"
)

// TestCatchUpSharesReads lets sockets wait for the same page: they share one read, which panics
// because there is no database. All of them are told.
func TestCatchUpSharesReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sockets = 10
		h := newSocketlessHub()
		w := h.watchOf(domain.NewID[domain.EventKind](time.Now()), 0)
		for range cap(h.resumes) {
			h.resumes <- struct{}{} // other reads run
		}
		results := make(chan error, sockets)
		for range sockets {
			go func() {
				_, err := w.pageAfter(0)
				results <- err
			}()
		}
		synctest.Wait()
		if len(w.reads) != 1 || len(results) != 0 {
			t.Fatalf("%d reads wait and %d sockets have results", len(w.reads), len(results))
		}
		<-h.resumes
		for range sockets {
			if err := <-results; !errors.Is(err, domain.Internal) {
				t.Errorf("a socket gets %v", err)
			}
		}
		if len(w.reads) != 0 {
			t.Error("later sockets get an earlier page")
		}
	})
}
