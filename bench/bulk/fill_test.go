package bulk

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"moothall/bench/dataset"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func newDataset(t *testing.T, plan dataset.Plan) *dataset.Dataset {
	t.Helper()
	plan.Now = now
	data, err := dataset.New(plan)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var countsStmt = db.SQL("bulk.test_counts", `
	SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM profiles), (SELECT COUNT(*) FROM events),
		(SELECT COUNT(*) FROM events WHERE listed),
		(SELECT COUNT(*) FROM participants WHERE status = 'going'), (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM event_slots),
		(SELECT CAST(COALESCE(SUM(df), 0) AS BIGINT) FROM terms), (SELECT COUNT(*) FROM event_terms),
		(SELECT COUNT(*) FROM event_slots WHERE n > cap AND cap > 0),
		(SELECT CAST(COALESCE(SUM(like_count + repost_count + comment_count), 0) AS BIGINT) FROM posts),
		(SELECT COUNT(*) FROM post_likes) + (SELECT COUNT(*) FROM reposts) + (SELECT COUNT(*) FROM comments),
		(SELECT CAST(COALESCE(SUM(1000 * n + stars), 0) AS BIGINT) FROM review_totals), (SELECT CAST(COALESCE(SUM(1000 + rating), 0) AS BIGINT)
			FROM reviews)`)

// TestFilledCountersMatchRows fills both engines from one plan, in several batches.
func TestFilledCountersMatchRows(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		data := newDataset(t, dataset.Plan{Seed: 7, Users: 300, Events: 700})
		var progress bytes.Buffer
		if err := Fill(t.Context(), d, data, Options{Progress: &progress, Batch: 250}); err != nil {
			t.Fatal(err)
		}
		var users, profiles, events, listed, going, seats, df, postings, overfull, reactions, counted, totals, reviews int64
		if err := d.One(t.Context(), countsStmt).Scan(&users, &profiles, &events, &listed, &going, &seats, &df, &postings, &overfull, &counted,
			&reactions, &totals, &reviews); err != nil {
			t.Fatal(err)
		}
		if users != 300 || profiles != 300 || events != 700 || listed == 0 || listed == events {
			t.Errorf("%d users, %d profiles, %d events, %d listed", users, profiles, events, listed)
		}
		if going == 0 || seats != going || df != postings || overfull != 0 {
			t.Errorf("%d going and %d seats, %d postings and a df of %d, %d seat rows too full", going, seats, postings, df, overfull)
		}
		if reactions == 0 || counted != reactions {
			t.Errorf("%d comments, likes and reposts are counted as %d", reactions, counted)
		}
		if reviews == 0 || totals != reviews {
			t.Errorf("reviews come to %d, not to %d", reviews, totals)
		}
		for _, line := range []string{"users: 300 in ", "events: 700 in "} {
			if !strings.Contains(progress.String(), line) {
				t.Errorf("no %q in the progress:\n%s", line, progress.String())
			}
		}
	})
}

func TestFillRefusesDatabaseWithData(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	first, second := newDataset(t, dataset.Plan{Seed: 1, Users: 10, Events: 10}), newDataset(t, dataset.Plan{Seed: 2, Users: 10, Events: 10})
	if err := Fill(t.Context(), d, first, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := Fill(t.Context(), d, second, Options{}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a second run gave %v", err)
	}
	if err := Fill(t.Context(), d, second, Options{Append: true}); err != nil {
		t.Fatal(err)
	}
}

func TestWriteStopsBetweenBatches(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	items := func(yield func(int) bool) {
		for i := range 5000 {
			if !yield(i) {
				return
			}
		}
	}
	written := 0
	err := write(ctx, newProgress(nil, "events", 5000), 1000, items, func(_ context.Context, batch []int) error {
		written += len(batch)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1000 events") || written != 1000 {
		t.Errorf("stopped with %v after %d", err, written)
	}
	broken := errors.New("disk full")
	if err := write(t.Context(), newProgress(nil, "events", 0), 1000, items,
		func(context.Context, []int) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("failed with %v", err)
	}
}

func TestProgressReportsRateAndTimeLeft(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "events", 1000)
	p.started, p.reported = p.started.Add(-10*time.Second), p.reported.Add(-10*time.Second)
	p.add(250)
	if got := out.String(); got != "events: 250 of 1000, 25/s, 30s left\n" {
		t.Errorf("%q", got)
	}
}

// TestSeatLimits adds the limits of all seat rows.
func TestSeatLimits(t *testing.T) {
	capacity := 20
	for _, c := range []struct {
		name string
		a    dataset.Attendance
		want int // seats of all rows; -1: no limit
	}{
		{"capacity", dataset.Attendance{Capacity: &capacity, Going: make([]dataset.Going, 7)}, 20},
		{"canceled", dataset.Attendance{Capacity: &capacity, Canceled: true}, 0},
		{"unlimited", dataset.Attendance{}, -1},
	} {
		sum := 0
		for row := range 16 {
			limit := seatLimit(c.a, 16, row)
			if limit == nil {
				sum = -1
				break
			}
			sum += *limit
		}
		if sum != c.want {
			t.Errorf("%s: %d seats, not %d", c.name, sum, c.want)
		}
	}
}
