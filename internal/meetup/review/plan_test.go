package review_test

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestListProbesParticipants checks the plan of PostgreSQL: the participation of each
// author on the page is looked up by index, in an event with many participants.
func TestListProbesParticipants(t *testing.T) {
	const many = 2000
	d := dbtest.Open(t, db.PostgreSQL)
	event, at := domain.RandomID[domain.EventKind](), int64(0)
	people := make([]domain.UserID, many)
	for i := range people {
		people[i] = domain.RandomID[domain.UserKind]()
	}
	fill := func(table string, columns []string, row func(domain.UserID) []any) {
		rows := func(yield func([]any) bool) {
			for _, p := range people {
				if !yield(row(p)) {
					return
				}
			}
		}
		if _, err := d.Bulk(t.Context(), table, columns, rows); err != nil {
			t.Fatal(err)
		}
	}
	fill("users", []string{"id", "email_verified", "test_profile", "created_at"},
		func(p domain.UserID) []any { return []any{p, false, false, at} })
	if _, err := d.Exec(t.Context(), eventStmt, event, people[0]); err != nil {
		t.Fatal(err)
	}
	fill("participants", []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "created_at", "updated_at"},
		func(p domain.UserID) []any { return []any{event, p, p, "going", "incognito", 0, at, at, at} })
	fill("reviews", []string{"event_id", "author_id", "id", "rating", "created_at", "updated_at"},
		func(p domain.UserID) []any { return []any{event, p, p, 5, at, at} })
	if err := d.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
	explain := db.SQL("review.test_explain_page", "EXPLAIN "+dbtest.Statement(t, "review.list").Text(db.PostgreSQL))
	scan := func(row db.Row, step *string) error { return row.Scan(step) }
	steps, err := db.All(t.Context(), d, scan, explain, people[1], people[1], event, time.Now(), domain.ReviewID{}, 21)
	if err != nil {
		t.Fatal(err)
	}
	if plan := strings.Join(steps, "\n"); strings.Contains(plan, "Seq Scan on participants") {
		t.Errorf("the plan scans all participants:\n%s", plan)
	}
}

var eventStmt = db.SQL("review.test_event", `
	INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at, starts_key, timezone, date_mode, price,
		sequence, created_at, updated_at)
	VALUES ($1, $2, 'published', 'public', FALSE, TRUE, 'Chess', 0, 0, 0, 'UTC', 'fixed', 'free', 0, 0, 0)`)
