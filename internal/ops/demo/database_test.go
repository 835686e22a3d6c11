package demo_test

import (
	"errors"
	"testing"
	"time"

	"moothall/internal/ops/demo"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

var countsStmt = db.SQL("demo.test_counts", `
	SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM profiles), (SELECT COUNT(*) FROM events),
		(SELECT COUNT(*) FROM events WHERE listed),
		(SELECT COUNT(*) FROM participants WHERE status = 'going'), (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM event_slots),
		(SELECT CAST(COALESCE(SUM(df), 0) AS BIGINT) FROM terms), (SELECT COUNT(*) FROM event_terms),
		(SELECT COUNT(*) FROM event_slots WHERE n > cap AND cap > 0),
		(SELECT CAST(COALESCE(SUM(like_count + repost_count + comment_count), 0) AS BIGINT) FROM posts),
		(SELECT COUNT(*) FROM post_likes) + (SELECT COUNT(*) FROM reposts) + (SELECT COUNT(*) FROM comments),
		(SELECT CAST(COALESCE(SUM(1000 * n + stars), 0) AS BIGINT) FROM review_totals), (SELECT CAST(COALESCE(SUM(1000 + rating), 0) AS BIGINT) FROM reviews)`)

// TestFilledCountersMatchRows fills both engines from one plan.
func TestFilledCountersMatchRows(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		data, err := demo.NewDataset(demo.Plan{Seed: 7, Users: 300, Events: 700, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		if err := demo.Fill(t.Context(), demo.Into(d, now), data, demo.Options{}); err != nil {
			t.Fatal(err)
		}
		var users, profiles, events, listed, going, seats, df, postings, overfull, reactions, counted, totals, reviews int64
		if err := d.One(t.Context(), countsStmt).Scan(&users, &profiles, &events, &listed, &going, &seats, &df, &postings, &overfull, &counted, &reactions, &totals, &reviews); err != nil {
			t.Fatal(err)
		}
		if users != 300 || profiles != 300 || events != 700 || listed == 0 || listed == events {
			t.Errorf("%d users, %d profiles, %d events, %d listed", users, profiles, events, listed)
		}
		if going == 0 || seats != going || df != postings || overfull != 0 {
			t.Errorf("%d going and %d seats, %d postings and a df of %d, %d slots too full", going, seats, postings, df, overfull)
		}
		if reactions == 0 || counted != reactions {
			t.Errorf("%d comments, likes and reposts are counted as %d", reactions, counted)
		}
		if reviews == 0 || totals != reviews {
			t.Errorf("reviews come to %d, not to %d", reviews, totals)
		}
		if err := demo.Fill(t.Context(), demo.Into(d, now), data, demo.Options{}); !errors.Is(err, demo.ErrNotEmpty) {
			t.Errorf("a second time: %v", err)
		}
	})
}
