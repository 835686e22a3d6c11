package policy

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// feedOf is the path of somebody's calendar feed.
func feedOf(c *apptest.Client) string {
	return "/calendar/feeds/" + path.Base(c.Post("/calendar/feed", nil).Want(201).Text("url"))
}

// statements reads a page with nobody and with a thousand hidden guests: by the
// same statements, of which the one that names guests passes none who hides.
// How long they take is not for a test on a busy machine.
func statements(w *fixture) {
	var mu sync.Mutex
	var ran []string
	counted, err := db.Open(w.t.Context(), w.database,
		db.Options{Wait: time.Minute, OnStatement: func(_ context.Context, s *db.Stmt, _ []any) {
			mu.Lock()
			defer mu.Unlock()
			ran = append(ran, s.Name())
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = counted.Close() })
	service := event.Service{DB: counted, Clock: w.app.Clock.Now, Details: event.NewPublicDetails(nil, counted),
		Profiles: user.NewProfiles(nil, counted)}
	page := id[domain.EventKind](w.t, w.published(nil))
	read := func() []string {
		ran = nil
		for _, name := range []string{"anonymous", "stranger", "follower", "participant"} {
			var viewer domain.Viewer
			if c := w.observers[name]; c.UserID != "" {
				viewer.UserID = id[domain.UserKind](w.t, c.UserID)
			}
			if _, err := service.Get(w.t.Context(), viewer, page); err != nil {
				w.t.Fatal(err)
			}
		}
		return slices.Clone(ran)
	}
	before := read()
	w.crowd(page, 1000)
	if after := read(); !slices.Equal(after, before) || len(after) < 4 {
		w.t.Errorf("%q, then %q", before, after)
	}
	if n := w.org.Get("/events/" + page.String()).Number("social_proof.incognito_count"); n != 1000 {
		w.t.Errorf("%v hide", n)
	}
	if w.app.Engine() == db.SQLite {
		w.namesByIndex()
	}
}

// namesByIndex asks SQLite how it finds whom a page names.
func (w *fixture) namesByIndex() {
	w.t.Helper()
	details := dbtest.Statement(w.t, "event.public_details")
	explain := db.SQL("test.explain_page", "EXPLAIN QUERY PLAN "+details.Text(db.PostgreSQL))
	step := func(row db.Row, step *string) error { return row.Scan(nil, nil, nil, step) }
	steps, err := db.All(w.t.Context(), w.app.DB, step, explain, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if !slices.Contains(steps, "SEARCH p USING COVERING INDEX participants_shown (event_id=?)") {
		w.t.Errorf("guests are found by %q", steps)
	}
}

// crowd stores guests who go to an event incognito.
func (w *fixture) crowd(at domain.EventID, n int) {
	w.t.Helper()
	guests := make([]domain.UserID, n)
	fill := func(table string, columns []string, row func(domain.UserID) []any) {
		w.t.Helper()
		var rows iter.Seq[[]any] = func(yield func([]any) bool) {
			for _, guest := range guests {
				if !yield(row(guest)) {
					return
				}
			}
		}
		if _, err := w.app.DB.Bulk(w.t.Context(), table, columns, rows); err != nil {
			w.t.Fatalf("%s: %v", table, err)
		}
	}
	for i := range guests {
		guests[i] = domain.NewID[domain.UserKind](today)
	}
	fill("users", []string{"id", "email_verified", "test_profile", "created_at"},
		func(guest domain.UserID) []any { return []any{guest, false, false, today} })
	fill("participants", []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "created_at", "updated_at"},
		func(guest domain.UserID) []any {
			return []any{at, guest, domain.NewID[domain.ParticipantKind](today), "going", "incognito", 0, today, today, today}
		})
}

// logsAndMetrics hold neither Uma nor where she goes.
func logsAndMetrics(w *fixture) {
	where := w.meeting(nil)
	w.goes(where, "incognito")
	w.uma.Get("/events/" + where).Want(200)
	w.uma.Get("/events?participant_user_id=" + w.uma.UserID).Want(200)
	w.app.RunJobs()
	texts := map[string]string{"metrics": w.app.Metrics(), "log": withoutSecurityLog(w.app.Log())}
	if !strings.Contains(texts["metrics"], `operation="joinEvent"`) || !strings.Contains(texts["log"], `"operation":"joinEvent"`) {
		w.t.Fatalf("no join is counted and logged: %s", texts["metrics"])
	}
	for name, text := range texts {
		for what, secret := range map[string]string{"Uma": w.uma.UserID, "the event": where, "her address": apptest.Email("uma")} {
			if strings.Contains(text, secret) {
				w.t.Errorf("the %s name %s", name, what)
			}
		}
	}
}

// withoutSecurityLog leaves out the records of the security log, which name the users who
// sign in.
func withoutSecurityLog(log string) string {
	var kept strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"log":"security"`) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
