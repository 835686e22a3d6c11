package db

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/pgtest"
)

var (
	slotsOfOne  = SQL("versiontest.slots", `SELECT event_id, n FROM event_slots WHERE event_id = $1`, Key{"event_slots", 1})
	slotsOfMany = SQL("versiontest.slots_of", `SELECT event_id, n FROM event_slots WHERE event_id IN (SELECT value FROM ids($1) AS l)`, Key{"event_slots", 1})
	allSlots    = SQL("versiontest.all_slots", `SELECT event_id, n FROM event_slots`)
	setSlot     = SQL("versiontest.set_slot", `INSERT INTO event_slots (event_id, slot, n) VALUES ($1, 0, $2)
		ON CONFLICT (event_id, slot) DO UPDATE SET n = $2`, Key{"event_slots", 1})
	addToSlots = SQL("versiontest.add_to_slots", `UPDATE event_slots SET n = n + $1`)
	addTerm    = SQL("versiontest.add_term", `INSERT INTO terms (id, term, df) VALUES ($1, $2, 0)`)
)

type id = domain.EventID

func newID() id { return domain.NewID[domain.EventKind](time.Unix(1, 0)) }

// openMigrated is dbtest.Open, which this package cannot import.
func openMigrated(t *testing.T, url string) *DB {
	t.Helper()
	d, err := Open(t.Context(), url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// listen starts a first trace, so that PostgreSQL notices arrive, and waits for it.
func listen(t *testing.T, d *DB) {
	t.Helper()
	before := d.versions.slots[anySlot].changed.Load()
	_, _ = d.Trace(t.Context())
	if d.notices != nil && within(t, time.Minute, func() bool { return d.versions.slots[anySlot].changed.Load() == before }) {
		t.Fatal("the database does not listen for notices")
	}
}

func onEach(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db")) })
	t.Run("postgresql", func(t *testing.T) { t.Parallel(); test(t, pgtest.Database(t)) })
}

func run(ctx context.Context, t *testing.T, q Querier, s *Stmt, args ...any) {
	t.Helper()
	if _, err := q.Exec(ctx, s, args...); err != nil {
		t.Error(err)
	}
}

// readAll runs a statement and discards its rows.
func readAll(ctx context.Context, t *testing.T, q Querier, s *Stmt, args ...any) {
	t.Helper()
	for _, err := range q.Query(ctx, s, args...) {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestTraceIsFreshUntilItsDataChanges(t *testing.T) {
	ours, other, third := newID(), newID(), newID()
	type action func(ctx context.Context, t *testing.T, q Querier)
	reading := func(s *Stmt, args ...any) action {
		return func(ctx context.Context, t *testing.T, q Querier) { readAll(ctx, t, q, s, args...) }
	}
	writing := func(s *Stmt, args ...any) action {
		return func(ctx context.Context, t *testing.T, q Querier) { run(ctx, t, q, s, args...) }
	}
	inTx := func(write action, outcome error) action {
		return func(ctx context.Context, t *testing.T, q Querier) {
			err := q.(*DB).InTx(ctx, func(tx Tx) error {
				write(ctx, t, tx)
				return outcome
			})
			if !errors.Is(err, outcome) {
				t.Error(err)
			}
		}
	}
	narrowed := func(ctx context.Context, t *testing.T, q Querier) {
		readAll(ctx, t, q, allSlots)
		Narrow(ctx, allSlots, "event_slots", []id{ours})
	}
	nothing := func(context.Context, *testing.T, Querier) {}
	onEach(t, func(t *testing.T, url string) {
		d := openMigrated(t, url)
		listen(t, d)
		run(t.Context(), t, d, setSlot, ours, 1)
		run(t.Context(), t, d, setSlot, other, 1)
		for _, c := range []struct {
			name        string
			read, write action
			fresh       bool
		}{
			{"nothing written", reading(slotsOfOne, ours), nothing, true},
			{"another table", reading(allSlots), writing(addTerm, 1, "one"), true},
			{"the row", reading(slotsOfOne, ours), writing(setSlot, ours, 2), false},
			{"another row", reading(slotsOfOne, ours), writing(setSlot, other, 2), true},
			{"a row of the list", reading(slotsOfMany, []id{third, ours}), writing(setSlot, ours, 2), false},
			{"no row of the list", reading(slotsOfMany, []id{third, ours}), writing(setSlot, other, 2), true},
			{"a row of the table", reading(allSlots), writing(setSlot, other, 2), false},
			{"a write without a key", reading(slotsOfOne, ours), writing(addToSlots, 1), false},
			{"narrowed, the row", narrowed, writing(setSlot, ours, 2), false},
			{"narrowed, another row", narrowed, writing(setSlot, other, 2), true},
			{"narrowed, then read again", func(ctx context.Context, t *testing.T, q Querier) { narrowed(ctx, t, q); readAll(ctx, t, q, allSlots) }, writing(setSlot, other, 2), false},
			{"in a transaction", reading(slotsOfOne, ours), inTx(writing(setSlot, ours, 3), nil), false},
			{"in a transaction, another row", reading(slotsOfOne, ours), inTx(writing(setSlot, other, 3), nil), true},
			{"undone", reading(slotsOfOne, ours), inTx(writing(setSlot, ours, 3), context.Canceled), true},
			{"written by itself", writing(setSlot, ours, 3), nothing, false},
			{"in bulk", reading(slotsOfOne, ours), func(ctx context.Context, t *testing.T, _ Querier) {
				if _, err := d.Bulk(ctx, "event_slots", []string{"event_id", "slot", "n"}, slices.Values([][]any{{newID(), 0, 1}})); err != nil {
					t.Error(err)
				}
			}, false},
		} {
			ctx, trace := d.Trace(t.Context())
			c.read(ctx, t, d)
			outer, outerTrace := d.Trace(t.Context())
			Include(outer, trace)
			c.write(t.Context(), t, d)
			for range 2 {
				if trace.Fresh() != c.fresh || outerTrace.Fresh() != c.fresh {
					t.Errorf("%s: fresh %t, included %t, want %t", c.name, trace.Fresh(), outerTrace.Fresh(), c.fresh)
				}
			}
		}
	})
}

// TestTraceIsStaleDuringCommit checks a trace during a commit.
func TestTraceIsStaleDuringCommit(t *testing.T) {
	d := openMigrated(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"))
	ours := newID()
	ctx, trace := d.Trace(t.Context())
	readAll(ctx, t, d, slotsOfOne, ours)
	w := &write{versions: d.versions}
	w.add(setSlot, []any{ours, 1})
	if !trace.Fresh() {
		t.Error("stale before the commit")
	}
	w.begin()
	if trace.Fresh() {
		t.Error("fresh during a commit")
	}
	ctx, late := d.Trace(t.Context())
	readAll(ctx, t, d, slotsOfOne, ours)
	w.end()
	if late.Fresh() {
		t.Error("a read during the commit is fresh after it")
	}
}

func TestNoticesReachOtherProcesses(t *testing.T) {
	url := pgtest.Database(t)
	here, there := openMigrated(t, url), openMigrated(t, url)
	ours, other := newID(), newID()
	listen(t, there)
	receives := func(write func(), s *Stmt, args ...any) bool {
		ctx, trace := there.Trace(t.Context())
		readAll(ctx, t, there, s, args...)
		write()
		return !within(t, time.Minute, trace.Fresh)
	}
	if !receives(func() { run(t.Context(), t, here, setSlot, ours, 1) }, slotsOfOne, ours) {
		t.Error("the change of a row did not arrive")
	}
	if !receives(func() { run(t.Context(), t, here, addToSlots, 1) }, slotsOfOne, other) {
		t.Error("the change of a table did not arrive")
	}
	many := make([]id, 2*noticeSlots)
	for i := range many {
		many[i] = newID()
	}
	if !receives(func() {
		w := &write{versions: here.versions}
		w.add(slotsOfManyWritten, []any{many})
		w.begin()
		w.end()
	}, slotsOfOne, other) {
		t.Error("many changes did not arrive")
	}
}

var slotsOfManyWritten = SQL("versiontest.clear", `UPDATE event_slots SET n = 0 WHERE event_id IN (SELECT value FROM ids($1) AS l)`, Key{"event_slots", 1})

// within reports whether a condition stays true for that long.
func within(t *testing.T, long time.Duration, holds func() bool) bool {
	t.Helper()
	for until := time.Now().Add(long); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if !holds() {
			return false
		}
	}
	return true
}

func TestSlotsSurviveEncoding(t *testing.T) {
	for _, slots := range [][]slot{{}, {anySlot}, {1, 2, slotCount - 1}} {
		sent := map[slot]bool{}
		for _, s := range slots {
			sent[s] = true
		}
		got := decodeSlots(encodeSlots(sent))
		slices.Sort(got)
		if !slices.Equal(got, slots) {
			t.Errorf("%v arrived as %v", slots, got)
		}
	}
	for _, text := range []string{"?", "AA", "////"} {
		if got := decodeSlots(text); !slices.Equal(got, []slot{anySlot}) {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

// TestMigrationsHaveNoCascades refuses cascades and triggers: the versions would miss the
// rows that they change.
func TestMigrationsHaveNoCascades(t *testing.T) {
	migrations, err := readMigrations(embeddedMigrations())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range migrations {
		if found := changesRows.FindString(m.text); found != "" {
			t.Errorf("%s: %s", m.name, found)
		}
	}
}

var changesRows = regexp.MustCompile(`(?i)\bON\s+(DELETE|UPDATE)\b|\bTRIGGER\b`)
