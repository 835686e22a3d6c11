package discovery

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

var updateGolden = flag.Bool("update", false, "write testdata/search")

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// shape is a filter whose statement has a text of its own.
type shape struct {
	name     string
	filter   Filter
	groups   int  // words and attributes
	common   bool // all groups are common
	single   bool // each group has one term
	signedIn bool
	clusters bool
}

// statement returns the text of a shape's statement and its arguments.
func (x shape) statement() (s *search, text string) {
	var groups []group
	for range x.groups {
		g := group{terms: []int64{1, 2, 3}, df: 1}
		if x.single {
			g.terms = g.terms[:1]
		}
		if x.common {
			g.df = 10 * shortList
		}
		groups = append(groups, g)
	}
	s = &search{Filter: x.filter, plan: newPlan(x.filter, groups), now: now, maxScanned: (&Service{}).maxScanned(x.filter)}
	if x.signedIn {
		s.viewer = domain.Viewer{UserID: viewerID}
	}
	if x.clusters {
		if s.scanned != nil {
			s.groups, s.scanned = append(s.groups, s.scanned), nil
		}
		return s, s.clusterText(geo.ZoomCells(s.region(), *s.Zoom))
	}
	return s, s.text()
}

var (
	viewerID, personID = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()

	circle = &geo.Circle{Lat: 55.75, Lng: 37.62, RadiusKm: 5}
	// four coarse cells meet at this point
	circleOnEdges = &geo.Circle{Lat: 0, Lng: 0, RadiusKm: 5}
	box           = &geo.Box{West: 37, South: 55, East: 38, North: 56}
	boxOverDate   = &geo.Box{West: 179, South: -20, East: -179, North: -10}
	wideBox       = &geo.Box{West: -100, South: -20, East: 100, North: 20}
	wideOverDate  = &geo.Box{West: 100, South: -20, East: 90, North: 20}
)

// shapes returns every combination of the fields on which the text of a statement
// depends.
func shapes() (all []shape) {
	to, zoom := now.Add(time.Hour), 9
	places := []Filter{
		{}, {Circle: circle}, {Circle: circleOnEdges}, {Placed: true}, {Placed: true, Box: box}, {Placed: true, Box: boxOverDate},
		{Placed: true, Box: wideBox}, {Placed: true, Box: wideOverDate}, {Placed: true, Circle: circle}, {Placed: true, Circle: circle, Box: wideBox},
	}
	for _, f := range places {
		people := []Filter{{}}
		if !f.Placed {
			people = []Filter{{}, {Organizer: &personID}, {Participant: &personID}, {Participant: &viewerID}, {Organizer: &personID, Participant: &personID}}
		}
		for _, who := range people {
			f.Organizer, f.Participant = who.Organizer, who.Participant
			for bits := range 1 << 6 {
				on := func(bit int) bool { return bits>>bit&1 == 1 }
				f.Price, f.To, f.Limit = "", nil, 20
				if on(0) {
					f.Price = event.Paid
				}
				if on(1) {
					f.To = &to
				}
				if on(2) {
					f.Limit = 100
				}
				for _, groups := range []int{0, 1, 2, 3, 5} { // others are padded to these
					x := shape{filter: f, groups: groups, common: on(3), single: on(4), signedIn: on(5)}
					if groups == 0 && (x.common || x.single) {
						continue
					}
					all = append(all, x)
					if f.Placed && !on(2) {
						x.clusters, x.filter.Zoom = true, &zoom
						all = append(all, x)
					}
				}
			}
		}
	}
	return all
}

// examples returns the shapes that testdata/search shows: each source of events, once
// with as few and once with as many conditions as possible.
func examples() []shape {
	to, zoom := now.AddDate(0, 1, 0), 9
	all := Filter{Limit: 20, Price: event.Paid, To: &to}
	with := func(change func(*Filter)) Filter {
		f := all
		change(&f)
		return f
	}
	return []shape{
		{name: "events", filter: Filter{Limit: 20}},
		{name: "events_all_conditions", filter: all, signedIn: true},
		{name: "organizer_all_conditions", signedIn: true, groups: 2, filter: with(func(f *Filter) { f.Organizer, f.Circle = &personID, circle })},
		{name: "organizer_on_cell_edges", groups: 1, single: true, filter: with(func(f *Filter) { f.Organizer, f.Circle, f.Price = &personID, circleOnEdges, "" })},
		{name: "participant_anonymous", filter: with(func(f *Filter) { f.Participant = &personID })},
		{name: "participant_all_conditions", signedIn: true, groups: 2, filter: with(func(f *Filter) { f.Participant, f.Organizer, f.Circle = &personID, &personID, circle })},
		{name: "participant_self", signedIn: true, filter: Filter{Limit: 20, Participant: &viewerID}},
		{name: "one_term", groups: 1, single: true, filter: Filter{Limit: 20}},
		{name: "words", groups: 1, filter: Filter{Limit: 20}},
		{name: "words_all_conditions", signedIn: true, groups: 4, filter: with(func(f *Filter) { f.Circle = circle })},
		{name: "words_on_cell_edges", groups: 2, single: true, filter: with(func(f *Filter) { f.Circle = circleOnEdges })},
		{name: "words_in_box", signedIn: true, groups: 2, filter: with(func(f *Filter) { f.Placed, f.Box, f.Circle = true, box, circle })},
		{name: "words_over_date_line", groups: 2, filter: with(func(f *Filter) { f.Placed, f.Box = true, boxOverDate })},
		{name: "words_with_place", groups: 2, filter: with(func(f *Filter) { f.Placed = true })},
		{name: "cells_circle", filter: Filter{Limit: 20, Circle: circle}},
		{name: "cells_circle_all_conditions", signedIn: true, groups: 2, common: true, filter: with(func(f *Filter) { f.Circle = circle })},
		{name: "cells_box", filter: Filter{Limit: 20, Placed: true, Box: box}},
		{name: "cells_box_all_conditions", signedIn: true, groups: 2, common: true, filter: with(func(f *Filter) { f.Placed, f.Box, f.Circle = true, wideBox, circle })},
		{name: "cells_box_over_date_line", single: true, groups: 1, common: true, filter: with(func(f *Filter) { f.Placed, f.Box = true, boxOverDate })},
		{name: "cells_box_wide_over_date_line", filter: Filter{Limit: 20, Placed: true, Box: wideOverDate}},
		{name: "cells_world", signedIn: true, filter: with(func(f *Filter) { f.Placed = true })},
		{name: "clusters", clusters: true, filter: Filter{Limit: 20, Placed: true, Zoom: &zoom}},
		{name: "clusters_all_conditions", clusters: true, signedIn: true, groups: 2,
			filter: with(func(f *Filter) { f.Placed, f.Box, f.Circle, f.Zoom = true, box, circle, &zoom })},
		{name: "clusters_wide", clusters: true, groups: 1, single: true,
			filter: with(func(f *Filter) { f.Placed, f.Box, f.Zoom, f.Price = true, wideBox, &zoom, "" })},
	}
}

var (
	parameter = regexp.MustCompile(`\$\d+`)
	numbers   = regexp.MustCompile(`(LIMIT|OFFSET|COUNT\(\*\) <) \d+`)
)

// generalize removes the numbers of parameters and the limits of rows, the only
// differences between shapes of one source, from a line of a statement.
func generalize(line string) string {
	return numbers.ReplaceAllString(parameter.ReplaceAllString(line, "$$"), "$1 n")
}

// TestGoldenStatements compares the statements of examples with testdata/search. Every
// line of the statement of every shape must occur in an example. Run it with -update
// after a change, and review the plans.
func TestGoldenStatements(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	shown := map[string]string{}
	for _, x := range examples() {
		s, text := x.statement()
		golden := fmt.Sprintf("%s\n\n-- plan of SQLite:\n-- %s\n", text, strings.Join(condense(explainSQLite(t, d, text, s.args)), "\n-- "))
		file := filepath.Join("testdata", "search", x.name+".sql")
		if *updateGolden {
			if err := os.WriteFile(file, []byte(golden), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(stored) != golden {
			t.Errorf("%s differs from %s:\n%s", x.name, file, golden)
		}
		for line := range strings.SplitSeq(text, "\n") {
			shown[generalize(line)] = x.name
		}
	}
	checked := map[string]bool{}
	for _, x := range shapes() {
		_, text := x.statement()
		for line := range strings.SplitSeq(text, "\n") {
			if checked[line] {
				continue
			}
			checked[line] = true
			if line = generalize(line); shown[line] == "" {
				t.Errorf("no example of %s:\n%s", describe(x), line)
				shown[line] = describe(x)
			}
		}
	}
}

func describe(x shape) string {
	f := x.filter
	return fmt.Sprintf("%d groups (common %t, single %t), signed in %t, clusters %t, price %q, to %t, circle %v, box %v, placed %t, organizer %t, participant %t",
		x.groups, x.common, x.single, x.signedIn, x.clusters, f.Price, f.To != nil, f.Circle, f.Box, f.Placed, f.Organizer != nil, f.Participant != nil)
}

// explainSQLite returns the steps of SQLite's plan.
func explainSQLite(t *testing.T, d *db.DB, text string, args []any) []string {
	t.Helper()
	stmt := db.SQL("discovery.test_explain "+hash(text), "EXPLAIN QUERY PLAN "+text)
	scan := func(row db.Row, step *string) error {
		var id, parent, unused int64
		return row.Scan(&id, &parent, &unused, step)
	}
	steps, err := db.All(t.Context(), d, scan, stmt, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return steps
}

// condense leaves out the structure of unions and counts repeated steps.
func condense(steps []string) (plan []string) {
	steps = slices.DeleteFunc(steps, func(step string) bool {
		return step == "LEFT" || step == "RIGHT" || step == "UNION ALL" || step == "MERGE (UNION ALL)"
	})
	for i, n := 0, 0; i < len(steps); i += n {
		n = 1
		for i+n < len(steps) && steps[i+n] == steps[i] {
			n++
		}
		plan = append(plan, steps[i])
		if n > 1 {
			plan[len(plan)-1] += fmt.Sprintf(" (%d times)", n)
		}
	}
	return plan
}

// source is how the events of a shape must be found on each engine.
type source struct {
	sqlite, postgres string // the first step, and the index
	sorts            int    // sorts of few rows
}

func (x shape) source(s *search) source {
	f := x.filter
	switch {
	case x.clusters: // the counts of at most 3,200 events are grouped
		return source{"SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)", "event_cells_pkey", 1}
	case s.scanned != nil: // the cards of the page are sorted, in two branches of a union
		return source{"SEARCH d USING PRIMARY KEY (term_id=? AND starts_key>?", "event_terms_pkey", 2}
	case s.key == "d.starts_key":
		return source{"SEARCH d USING PRIMARY KEY (cell=? AND starts_key>?", "event_cells_pkey", 2}
	case f.Participant != nil: // a person's events are sorted
		return source{"SEARCH p USING", "participants_", 1}
	case f.Organizer != nil:
		return source{"SEARCH e USING INDEX events_organizer", "events_organizer", 0}
	case f.Price != "" && x.groups == 0:
		return source{"SEARCH e USING INDEX events_listed_price (price=? AND starts_key>?", "events_listed_price", 0}
	default:
		return source{"SEARCH e USING INDEX events_listed (starts_key>?", "events_listed", 0}
	}
}

// TestSQLitePlans expects for every shape that SQLite scans posting lists by their keys
// in time order, never scans all events, and sorts only few rows.
func TestSQLitePlans(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	every := 5 // a long run of the tests checks all
	if os.Getenv("LONG_TESTS") != "" {
		every = 1
	}
	checked := map[string]bool{}
	for _, x := range shapes() {
		s, text := x.statement()
		if x.filter.Limit > 20 || checked[text] {
			continue
		}
		checked[text] = true
		if len(checked)%every != 0 {
			continue
		}
		steps, want, sorts := explainSQLite(t, d, text, s.args), x.source(s), 0
		for _, step := range steps {
			if strings.HasPrefix(step, "USE TEMP B-TREE") {
				sorts++
			}
			scansEvents := strings.HasPrefix(step, "SCAN e ") || step == "SCAN e"
			if scansEvents || s.key == "d.starts_key" && !x.clusters && strings.HasPrefix(step, "SEARCH e ") && !strings.Contains(step, "starts_key=?") {
				t.Errorf("%s: %s", describe(x), step)
			}
		}
		if plan := strings.Join(steps, "\n"); !strings.Contains(plan, want.sqlite) || sorts != want.sorts {
			t.Errorf("%s: want %q and %d sorts:\n%s", describe(x), want.sqlite, want.sorts, plan)
		}
	}
}

var (
	noSeqScanStmt = db.SQL("discovery.test_no_seqscan", `SET LOCAL enable_seqscan = off`)
	addUserStmt   = db.SQL("discovery.test_add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)
)

// TestPostgresPlans expects for every example that PostgreSQL uses the same indexes on
// filled tables.
func TestPostgresPlans(t *testing.T) {
	d := dbtest.Open(t, db.PostgreSQL)
	fill(t, d, 3000)
	for _, x := range examples() {
		s, text := x.statement()
		stmt := db.SQL("discovery.test_explain_postgres "+hash(text), "EXPLAIN (COSTS OFF) "+text)
		var steps []string
		err := d.InTx(t.Context(), func(tx db.Tx) error {
			if _, err := tx.Exec(t.Context(), noSeqScanStmt); err != nil {
				return err
			}
			var err error
			steps, err = db.All(t.Context(), tx, func(row db.Row, step *string) error { return row.Scan(step) }, stmt, s.args...)
			return err
		})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		plan := strings.Join(steps, "\n")
		if want := x.source(s).postgres; !strings.Contains(plan, want) || strings.Contains(plan, "Seq Scan on event") || strings.Contains(plan, "Seq Scan on participants") {
			t.Errorf("%s: want %s and no sequential scan:\n%s", x.name, want, plan)
		}
	}
}

// fill stores published events of fifty organizers; few are paid.
func fill(t *testing.T, d *db.DB, n int) {
	t.Helper()
	organizers := []domain.UserID{personID}
	for len(organizers) < 50 {
		organizers = append(organizers, domain.RandomID[domain.UserKind]())
	}
	for _, id := range organizers {
		if _, err := d.Exec(t.Context(), addUserStmt, id, now); err != nil {
			t.Fatal(err)
		}
	}
	events := make([]event.Event, n)
	for i := range events {
		start := now.Add(time.Duration(i) * time.Minute)
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](now), OrganizerID: organizers[i%50], Status: "published", StartsKey: start.UnixNano() + int64(i+1),
			CreatedAt: now, UpdatedAt: now, PublishedAt: &now,
			Fields: event.Fields{
				Title: fmt.Sprint("Chess ", i), StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed",
				Price: map[bool]string{true: event.Paid, false: event.Free}[i%50 == 1], Lat: new(55.75 + float64(i)/1e4), Lng: new(37.62),
			},
		}
	}
	if err := (&event.Importer{DB: d, Now: now}).Add(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	if err := d.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
}
