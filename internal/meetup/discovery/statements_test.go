package discovery_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// sources are how each engine must find the events of each kind: by an index in time
// order. Only the events of a participant are sorted.
var sources = map[string]struct {
	sqlite, postgres string
	sorts            bool
}{
	"all":         {"SEARCH d USING COVERING INDEX events_listed (starts_key>?", "events_", false},
	"organizer":   {"SEARCH d USING COVERING INDEX events_organizer_listed (organizer_id=? AND starts_key>?", "events_organizer", false},
	"group":       {"SEARCH d USING INDEX events_group (group_id=? AND starts_key>?", "events_group", false},
	"participant": {"SEARCH p USING", "", true},
	"viewer":      {"SEARCH p USING", "", true},
	"terms":       {"SEARCH d USING PRIMARY KEY (term_id=? AND starts_key>?", "event_terms_pkey", false},
	"cells":       {"SEARCH d USING PRIMARY KEY (cell=? AND starts_key>?", "event_cells_pkey", false},
}

// TestWalksUseIndexes checks the plans of the shortest walk of each number of lists.
func TestWalksUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		fill(t, d, 3000)
		const shortest = 32 // keys
		checked := map[string]bool{}
		for _, stmt := range db.Statements() {
			var kind string
			var lists, size int
			if _, err := fmt.Sscanf(stmt.Name(), "discovery.walk %s %d %d", &kind, &lists, &size); err != nil || size != shortest {
				continue
			}
			checked[kind] = true
			steps := strings.ReplaceAll(explain(t, d, stmt, walkArgs(kind, lists)), "SCAN CONSTANT ROW", "") // a bound
			switch want := sources[kind]; {
			case d.Engine() == db.PostgreSQL:
				if !strings.Contains(steps, want.postgres) || strings.Contains(steps, "Seq Scan on event") {
					t.Errorf("%s: want %s and no scan:\n%s", stmt.Name(), want.postgres, steps)
				}
				if lists > 1 && !strings.Contains(steps, "Merge Append") {
					t.Errorf("%s: want a merge of the lists, because a sort reads them to their ends:\n%s", stmt.Name(), steps)
				}
			case !strings.Contains(steps, want.sqlite), strings.Contains(steps, "SCAN"), strings.Contains(steps, "TEMP B-TREE") != want.sorts:
				t.Errorf("%s: want %s, no scan and sorts %t:\n%s", stmt.Name(), want.sqlite, want.sorts, steps)
			}
		}
		if len(checked) != len(sources) {
			t.Errorf("checked the statements of %v", checked)
		}
	})
}

// TestPlansAreKept checks that PostgreSQL does not plan each execution of the statements of most searches: soon it executes one plan
// for all arguments.
func TestPlansAreKept(t *testing.T) {
	keptStmt := db.SQL("discovery.test_kept_plans", `SELECT custom_plans FROM pg_prepared_statements WHERE statement = $1`)
	d := dbtest.Open(t, db.PostgreSQL)
	fill(t, d, 3000)
	if _, err := d.Exec(t.Context(), db.SQL("discovery.test_analyze", `ANALYZE`)); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]any{
		"discovery.walk all 0 32": walkArgs("all", 0),
		"discovery.terms":         {[]string{"word yoga", "word tea"}, []string{"word yoga\x01", "word tea\U0010FFFF"}},
		"discovery.lookup":        {[]int64{1, 2, 3, 4, 5, 6, 7, 8}, []int64{1, 2, 3}},
	} {
		stmt, planned := dbtest.Statement(t, name), 0
		err := d.Read(t.Context(), func(q db.Querier) error { // on one connection
			for range 20 {
				for _, err := range q.Query(t.Context(), stmt, args...) {
					if err != nil {
						return err
					}
				}
			}
			return q.One(t.Context(), keptStmt, stmt.Text(db.PostgreSQL)).Scan(&planned)
		})
		if err != nil || planned > 10 {
			t.Errorf("%s: PostgreSQL planned %d of 20 executions: %v", name, planned, err)
		}
	}
}

// walkArgs returns arguments for a statement that merges lists of a kind.
func walkArgs(kind string, lists int) []any {
	args := []any{int64(0), now.AddDate(1, 0, 0).UnixNano()}
	switch kind {
	case "organizer", "viewer", "group":
		args = append(args, domain.UserID{1})
	case "participant":
		args = append(args, domain.UserID{1}, domain.UserID{2})
	case "terms", "cells":
		for i := range lists {
			args = append(args, int64(i))
		}
	}
	return args
}

// explain returns the plan of a statement.
func explain(t *testing.T, d *db.DB, stmt *db.Stmt, args []any) string {
	t.Helper()
	explanation, before := "EXPLAIN QUERY PLAN ", 3 // columns
	if d.Engine() == db.PostgreSQL {
		explanation, before = "EXPLAIN (COSTS OFF) ", 0
	}
	scan := func(row db.Row, step *string) error { return row.Scan(append(make([]any, before), step)...) }
	steps, err := db.All(t.Context(), d, scan, db.SQL(fmt.Sprint("discovery.test_explain ", d.Engine(), stmt.Name()),
		explanation+stmt.Text(db.PostgreSQL)), args...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

var addUserStmt = db.SQL("discovery.test_add_user", `INSERT INTO users (id, email_verified, test_profile, created_at)
	VALUES ($1, FALSE, FALSE, $2)`)

// fill stores published events of fifty organizers.
func fill(t *testing.T, d *db.DB, n int) {
	t.Helper()
	var organizers []domain.UserID
	for len(organizers) < 50 {
		id := domain.RandomID[domain.UserKind]()
		if _, err := d.Exec(t.Context(), addUserStmt, id, now); err != nil {
			t.Fatal(err)
		}
		organizers = append(organizers, id)
	}
	events := make([]event.Event, n)
	for i := range events {
		start := now.Add(time.Duration(i) * time.Minute)
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](now), OrganizerID: organizers[i%50], Status: "published", StartsKey: start.UnixNano() + int64(i+1),
			CreatedAt: now, UpdatedAt: now, PublishedAt: &now,
			Fields: event.Fields{
				Title: fmt.Sprint("Chess ", i), StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed", Price: event.Free,
				Lat: new(55.75 + float64(i)/1e4), Lng: new(37.62),
			},
		}
	}
	if err := eventtest.Insert(t.Context(), d, now, events); err != nil {
		t.Fatal(err)
	}
	if err := d.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
}
