package meetup_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestEveryReaderSeesOneOrder lets many users write in one chat while others page through
// it. Every reader sees the same order and each message once. No message appears
// before one that a reader has already seen. The clock stands still, so that all
// messages have the same time; on three instances the test also runs with a clock.
func TestEveryReaderSeesOneOrder(t *testing.T) {
	apptest.EachConcurrent(t, testOneOrder, apptest.StartAt(apptest.Today))
	t.Run("running clock", func(t *testing.T) {
		t.Parallel()
		testOneOrder(t, apptest.New(t, db.PostgreSQL, apptest.Instances(3)))
	})
}

func testOneOrder(t *testing.T, a *apptest.App) {
	each := testutil.Rounds(2, 10) // messages of each writer
	org, writers := a.As("org"), a.Crowd()
	event := org.Publish(apptest.Fields{"starts_at": "2027-06-05T16:00:00Z"})
	apptest.Concurrently(apptest.Crowd, func(i int) { writers[i].Join(event) })

	var running sync.WaitGroup
	var over atomic.Bool
	running.Go(func() {
		defer over.Store(true)
		apptest.Concurrently(apptest.Crowd, func(i int) {
			for n := range each {
				body := apptest.Fields{"body": fmt.Sprintf("%d of %d", n, i), "client_message_id": fmt.Sprintf("00000000-0000-4000-8000-%012d", n)}
				for range 1 + i%2 { // every other one sends twice
					writers[i].Post("/events/"+event+"/messages", body).Want(201)
				}
			}
		})
	})
	histories := make([][]string, 3) // the last reading of each reader, newest first
	for i := range histories {
		running.Go(func() {
			for last := false; !last; {
				last = over.Load()
				now := chatRead(t, org.On(i), event, 20+i, nil)
				if was := histories[i]; len(now) < len(was) || !slices.Equal(now[len(now)-len(was):], was) {
					t.Errorf("reader %d read\n%q\nand then\n%q", i, was, now)
					return
				}
				histories[i] = now
			}
		})
	}
	running.Wait()

	want := chatRead(t, org, event, 100, nil)
	if distinct := slices.Compact(slices.Sorted(slices.Values(want))); len(want) != apptest.Crowd*each || len(distinct) != len(want) {
		t.Errorf("%d messages, %d of them different, want %d", len(want), len(distinct), apptest.Crowd*each)
	}
	for i, got := range histories {
		if !slices.Equal(got, want) {
			t.Errorf("reader %d read another order", i)
		}
	}
	if got := chatRead(t, writers[0], event, 7, nil); !slices.Equal(got, want) {
		t.Error("a writer sees another order, seven at a time")
	}
	for i := range writers {
		var own []int
		for _, body := range slices.Backward(want) {
			var n, by int
			if _, err := fmt.Sscanf(body, "%d of %d", &n, &by); err == nil && by == i {
				own = append(own, n)
			}
		}
		if len(own) != each || !slices.IsSorted(own) {
			t.Errorf("writer %d is read in the order %v", i, own)
		}
	}
}
