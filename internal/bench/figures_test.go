package bench

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	for _, c := range []struct {
		of   []time.Duration
		p    float64
		want time.Duration
	}{
		{nil, 50, 0},
		{[]time.Duration{7}, 50, 7},
		{[]time.Duration{7}, 99, 7},
		{[]time.Duration{1, 9}, 50, 1},
		{[]time.Duration{1, 9}, 51, 9},
		{hundred, 0, 1},
		{hundred, 50, 50},
		{hundred, 99, 99},
		{hundred, 99.5, 100},
		{hundred, 100, 100},
	} {
		if got := percentile(c.of, c.p); got != c.want {
			t.Errorf("%v%% of %d values: %d, not %d", c.p, len(c.of), got, c.want)
		}
	}
}

func TestRatios(t *testing.T) {
	row := Row{
		Served:    Measure{PerSecond: 500},
		Bare:      Measure{PerSecond: 4000},
		Statement: Measure{PerSecond: 1000},
	}
	if row.OfBare() != 0.125 || row.OfStatement() != 0.5 || math.Abs(row.OfBoth()-500.0/800) > 1e-9 {
		t.Errorf("of bare %v, of statement %v, of both %v", row.OfBare(), row.OfStatement(), row.OfBoth())
	}
	row.Bare = Measure{}
	if row.OfBare() != 0 || row.OfBoth() != 0 || share(row.OfBare()) != "-" {
		t.Errorf("without a floor: %v, %v", row.OfBare(), row.OfBoth())
	}
}

func TestMeasure(t *testing.T) {
	var s sums
	for _, took := range []time.Duration{3 * time.Millisecond, time.Millisecond} {
		s.add(sums{requests: 1, took: []time.Duration{took}, all: time.Second, spent: spent{
			database: 5 * time.Millisecond, generator: 250 * time.Millisecond,
			Spent: Spent{Processor: 500 * time.Millisecond, Allocations: 10, AllocatedBytes: 1000, Statements: 1},
		}})
	}
	want := Measure{
		Requests: 2, PerSecond: 1, P50: time.Millisecond, P99: 3 * time.Millisecond, P999: 3 * time.Millisecond, CPU: 500_000, Database: 5000,
		Allocations: 10, Allocated: 1000, Statements: 1, Generator: 0.25,
	}
	if m := s.measure(); m != want {
		t.Errorf("%+v", m)
	}
	if none := (sums{all: time.Second}).measure(); none != (Measure{}) {
		t.Errorf("nothing was measured: %+v", none)
	}
}

// worldOf makes a report's world of rows, each of 16 callers unless it says
// otherwise.
func worldOf(engine db.Engine, events int, rows ...Row) World {
	for i := range rows {
		rows[i].Callers = cmp.Or(rows[i].Callers, 16)
	}
	return World{Engine: engine.String(), Version: engine.String(), Events: events, Rows: rows}
}

// costing makes a row of an operation by its processor time.
func costing(operation string, cpu float64) Row {
	return Row{Operation: operation, Served: Measure{CPU: cpu, P99: time.Duration(cpu) * time.Microsecond}}
}

// ofEngine makes a row by its rate and that of the engine.
func ofEngine(operation string, callers int, rate, engine float64) Row {
	return Row{Operation: operation, Callers: callers, Statements: 3, Served: Measure{PerSecond: rate}, Statement: Measure{PerSecond: engine}}
}

// followed makes a world where publishing takes 2 ms, and what it takes for an
// organizer with followers.
func followed(followers int, after, p50 time.Duration) World {
	return World{Engine: db.PostgreSQL.String(), Events: 1000, Followers: followers, Rows: []Row{
		{Operation: "publish", Callers: 1, Served: Measure{P50: 2 * time.Millisecond}},
		{Operation: "publish followed", Callers: 1, Served: Measure{P50: p50, After: after}},
	}}
}

// process makes a world by what the service's process needs.
func process(memory int, start time.Duration) World {
	w := worldOf(db.SQLite, large)
	w.Memory.Peak, w.Start = memory, start
	return w
}

func TestGoals(t *testing.T) {
	page := costing("list cold", 100)
	hot := func(rate float64) Row {
		return Row{Operation: "list", Served: Measure{PerSecond: rate}, Bare: Measure{PerSecond: 10000}}
	}
	counted := func(times float64) Row {
		return Row{Operation: "join hot", Callers: 256, Served: Measure{PerSecond: times}, Counter: Measure{Requests: 1, PerSecond: 1}}
	}
	threeStatements, four := ofEngine("detail signed in", 16, 6, 10), ofEngine("detail signed in", 16, 6, 10)
	four.Statements = 4
	alone := costing("nearby sea", 1200)
	alone.Callers = 1
	slowAlone := costing("nearby sea", 1300)
	slowAlone.Callers = 1
	for _, c := range []struct {
		name   string
		worlds []World
		want   string
	}{
		{"nothing measured", nil, ""},
		{"nothing measured in a world", []World{worldOf(db.SQLite, middle), worldOf(db.SQLite, large)}, ""},
		{"hot", []World{worldOf(db.SQLite, middle, hot(7000)), worldOf(db.PostgreSQL, middle, hot(6900))}, "reached, not reached"},
		{"cold", []World{worldOf(db.SQLite, middle, ofEngine("list cold", 16, 7, 10)), worldOf(db.SQLite, middle, ofEngine("list cold", 16, 6, 10))}, "reached, not reached"},
		{"without a floor", []World{worldOf(db.SQLite, middle, ofEngine("list cold", 16, 7, 0))}, "not reached"},
		{"detail", []World{worldOf(db.SQLite, middle, threeStatements), worldOf(db.SQLite, middle, four)}, "reached, not reached"},
		{"steady", []World{worldOf(db.SQLite, small, page), worldOf(db.SQLite, large, costing("list cold", 130))}, "reached"},
		{"growing", []World{worldOf(db.SQLite, small, page), worldOf(db.SQLite, large, costing("list cold", 131))}, "not reached"},
		{"other engines grow by themselves", []World{worldOf(db.PostgreSQL, small, page), worldOf(db.SQLite, large, page)}, ""},
		{"worst", []World{worldOf(db.SQLite, large, page, alone), worldOf(db.SQLite, large, page, slowAlone)}, "reached, not reached"},
		{"text", []World{worldOf(db.SQLite, large, page, costing("text rare", 600), costing("text apart", 601))}, "reached, not reached"},
		{"feed", []World{worldOf(db.SQLite, large, page, costing("feed signed in", 500)), worldOf(db.SQLite, large, page, costing("feed signed in", 501))}, "reached, not reached"},
		{"join on SQLite", []World{worldOf(db.SQLite, middle, ofEngine("join", 256, 3, 1)), worldOf(db.SQLite, middle, ofEngine("join", 256, 2.9, 1))}, "reached, not reached"},
		{"join on PostgreSQL", []World{worldOf(db.PostgreSQL, middle, ofEngine("join", 256, 0.7, 1)), worldOf(db.PostgreSQL, middle, ofEngine("join", 256, 0.6, 1))}, "reached, not reached"},
		{"hot join", []World{worldOf(db.PostgreSQL, middle, counted(6)), worldOf(db.PostgreSQL, middle, counted(5.9))}, "reached, not reached"},
		{"process", []World{process(299, 499*time.Millisecond), process(300, 500*time.Millisecond)}, "reached, reached, not reached, not reached"},
		{"followers", []World{followed(100_000, 2*time.Second, 3*time.Millisecond)}, "reached, reached"},
		{"slow with followers", []World{followed(100_000, 2001*time.Millisecond, 3100*time.Microsecond)}, "not reached, not reached"},
		{"too few followers", []World{followed(1000, time.Second, time.Millisecond)}, ""},
	} {
		var got []string
		for _, g := range (&Report{Worlds: c.worlds}).goals() {
			line := g.String()
			verdict, _, _ := strings.Cut(line[strings.LastIndex(line, ": ")+2:], " (")
			got = append(got, verdict)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	report := func(perSecond, cpu float64) *Report {
		row := costing("list", cpu)
		row.Served.PerSecond = perSecond
		return &Report{Worlds: []World{worldOf(db.SQLite, 1000, row)}}
	}
	now := report(300, 50)
	text := strings.Join(strings.Fields(now.Compare(report(200, 100))), " ")
	if want := "list 16 300 200 1.50 0.05 0.10 2.00 50 100 2.00 - - - 0 0 - -"; !strings.HasSuffix(text, want) {
		t.Errorf("%s, not %s", text, want)
	}
	if text := now.Compare(&Report{}); strings.Contains(text, "list") {
		t.Errorf("compared with nothing: %s", text)
	}
}

// TestEmptyColumns are left out.
func TestEmptyColumns(t *testing.T) {
	row := costing("list", 50)
	names, rows := worldOf(db.SQLite, 1000, row).table()
	if slices.Contains(names, "database CPU us") || !slices.Contains(names, "CPU us") || len(rows) != 1 || len(rows[0]) != len(names) {
		t.Errorf("%q %q", names, rows)
	}
	row.Served.Database = 3
	if names, _ := worldOf(db.PostgreSQL, 1000, row).table(); !slices.Contains(names, "database CPU us") {
		t.Errorf("%q", names)
	}
}

func TestMarkdownKeepsTheOtherText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	report := func(perSecond float64) *Report {
		return &Report{Worlds: []World{worldOf(db.SQLite, 1000, Row{Operation: "list", Served: Measure{PerSecond: perSecond}})}}
	}
	read := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if err := report(111).WriteMarkdown(path); err != nil || !strings.Contains(read(), "| list | 16 | 111 |") {
		t.Fatalf("%v: %s", err, read())
	}
	if err := os.WriteFile(path, []byte("before\n"+read()+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := report(222).WriteMarkdown(path); err != nil {
		t.Fatal(err)
	}
	if text := read(); !strings.HasPrefix(text, "before\n") || !strings.HasSuffix(text, "after\n") || !strings.Contains(text, "222") || strings.Contains(text, "111") {
		t.Error(text)
	}
	if err := os.WriteFile(path, []byte("no marks"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := report(1).WriteMarkdown(path); err == nil || read() != "no marks" {
		t.Errorf("%v: %s", err, read())
	}
}

func TestCoreList(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "0-2": "0 1 2", "1,3-4": "1 3 4", "": "", "x": "", "1-": ""} {
		if got := strings.Join(coreList(text), " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// TestNobodyJoinsTwice walks through all joins and likes of a small world: each
// is another pair, and no event of the one kind belongs to the other.
func TestNobodyJoinsTwice(t *testing.T) {
	q := &requests{}
	for range 40 {
		q.open = append(q.open, domain.RandomID[domain.EventKind]())
	}
	for i := range 8 {
		q.tokens = append(q.tokens, fmt.Sprint("token", i))
		q.circle.guests = append(q.circle.guests, login{Access: q.tokens[i]})
	}
	for range 40 {
		q.circle.posts = append(q.circle.posts, domain.RandomID[domain.PostKind]())
	}
	q.circle.events = q.open[:2]
	seen := map[string]bool{}
	for name, join := range map[string]func(int, int) (request, bool){"join": q.join, "join hot": q.joinHot, "like": q.circle.like} {
		n := 0
		for ; ; n++ {
			r, more := join(0, n)
			if !more {
				break
			}
			if key := r.target + r.token; seen[key] {
				t.Fatalf("%s: request %d is made twice", name, n)
			} else {
				seen[key] = true
			}
		}
		if want := map[string]int{"join": 36 * 8, "join hot": 4 * 8, "like": 40 * 8}[name]; n != want {
			t.Errorf("%s: %d requests, not %d", name, n, want)
		}
	}
}

func TestOneStatement(t *testing.T) {
	text, args := oneStatement(call{
		{statement{Text: "SELECT $1 AS a, $2 AS b, $1 AS again"}, []any{"x", int64(2)}},
		{statement{Text: "INSERT INTO things (a) VALUES ($1)", Writes: true}, []any{"y"}},
	})
	const want = "WITH s0 AS MATERIALIZED (SELECT $1 AS a, $2 AS b, $1 AS again), s1 AS (INSERT INTO things (a) VALUES ($3)) SELECT 1, (SELECT COUNT(*) FROM s0)"
	if text != want || !slices.Equal(args, []any{"x", int64(2), "y"}) {
		t.Errorf("%s %v", text, args)
	}
}

// TestTape sends a tape to another process: the same arguments arrive, nothing
// as nothing.
func TestTape(t *testing.T) {
	id := domain.RandomID[domain.EventKind]()
	var none *string
	var plain []any
	for _, arg := range []any{"x", 2, 1.5, true, []byte{1}, time.UnixMicro(7), id, []string{"a"}, []domain.EventID{id}, none, nil, new("y")} {
		plain = append(plain, value(arg))
	}
	sent, err := packed([]call{{{statement{"a", "b", true}, plain}}, {{statement{"a", "b", true}, nil}}})
	if err != nil {
		t.Fatal(err)
	}
	tape, err := unpacked(sent)
	if err != nil {
		t.Fatal(err)
	}
	bytes := [16]byte(id)
	want := []any{"x", int64(2), 1.5, true, []byte{1}, int64(7), bytes, []string{"a"}, [][16]byte{bytes}, nil, nil, "y"}
	if got := tape[0][0]; len(tape) != 2 || got.Name != "a" || got.Text != "b" || !tape[1].writes() || !reflect.DeepEqual(got.args, want) {
		t.Errorf("%#v", got)
	}
}

// TestNoPageTwice finds no request twice among those that must all be computed.
func TestNoPageTwice(t *testing.T) {
	q := &requests{facts: facts{common: []string{"tea"}, rare: []string{"gong"}, apart: []string{"tea gong"}, misspelt: []string{"taego"}}, tokens: []string{"token"}}
	for range 50 {
		q.open = append(q.open, domain.RandomID[domain.EventKind]())
	}
	for _, o := range slices.Concat(q.lists(), q.places(), q.words(), q.single()) {
		if strings.HasPrefix(o.name, "feed") {
			continue // it has no filter
		}
		seen := map[string]bool{}
		for range 100 {
			r, more := o.uncached(0)
			if !more || seen[r.target] || r.known {
				t.Fatalf("%s: %+v", o.name, r)
			}
			seen[r.target] = true
		}
	}
}
