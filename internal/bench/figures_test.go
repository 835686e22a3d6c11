package bench

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/db"
	"moothall/internal/meet"
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

func TestMeasured(t *testing.T) {
	m := measured([]time.Duration{time.Millisecond, 3 * time.Millisecond}, 2*time.Second, time.Second, 500*time.Millisecond)
	want := Measure{Requests: 2, PerSecond: 1, P50: time.Millisecond, P99: 3 * time.Millisecond, CPU: 500_000, Generator: 0.25}
	if m != want {
		t.Errorf("%+v", m)
	}
	if none := measured(nil, time.Second, time.Second, 0); none != (Measure{}) {
		t.Errorf("nothing was measured: %+v", none)
	}
}

// world makes a report's world with one list and one join.
func world(events int, list, join Row) World {
	list.Operation, list.Callers = "list", 16
	join.Operation, join.Callers = "join", 256
	return World{Engine: db.SQLite.String(), Version: "SQLite", Events: events, Rows: []Row{list, join}}
}

// followed makes a world where publishing takes 2 ms, and what it takes for an
// organizer with followers.
func followed(followers int, after, p50 time.Duration) World {
	return World{Engine: db.PostgreSQL.String(), Events: 1000, Followers: followers, Rows: []Row{
		{Operation: "publish", Callers: 1, Served: Measure{P50: 2 * time.Millisecond}},
		{Operation: "publish followed", Callers: 1, Served: Measure{P50: p50, After: after}},
	}}
}

func TestGoals(t *testing.T) {
	row := func(perSecond, cpu, statement float64) Row {
		return Row{Served: Measure{PerSecond: perSecond, CPU: cpu}, Bare: Measure{PerSecond: 30000}, Statement: Measure{PerSecond: statement}}
	}
	for _, c := range []struct {
		name   string
		worlds []World
		want   string
	}{
		{"nothing measured", nil, ""},
		{"good", []World{world(100_000, row(6000, 160, 10000), row(8000, 0, 7000))}, "reached reached"},
		{"slow", []World{world(100_000, row(5900, 160, 10000), row(7999, 0, 2667))}, "not reached not reached"},
		{"joins three times as fast", []World{world(100_000, row(1, 1, 1), row(600, 0, 200))}, "reached reached"},
		{"growing", []World{world(10_000, row(1, 100, 1), Row{}), world(1_000_000, row(1, 151, 1), Row{})}, "not reached"},
		{"steady", []World{world(10_000, row(1, 100, 1), Row{}), world(1_000_000, row(1, 150, 1), Row{})}, "reached"},
		{"followers", []World{followed(100_000, 2*time.Second, 3*time.Millisecond)}, "reached reached"},
		{"slow with followers", []World{followed(100_000, 2001*time.Millisecond, 3100*time.Microsecond)}, "not reached not reached"},
		{"too few followers", []World{followed(1000, time.Second, time.Millisecond)}, ""},
		{"steady by rates", []World{world(10_000, row(150, 0, 1), Row{}), world(1_000_000, row(100, 0, 1), Row{})}, "reached"},
	} {
		var got []string
		for _, g := range (&Report{Worlds: c.worlds}).goals() {
			_, verdict, _ := strings.Cut(g.String(), ": ")
			if at := strings.LastIndex(g.String(), ": "); at > 0 {
				verdict = g.String()[at+2:]
			}
			verdict, _, _ = strings.Cut(verdict, " (")
			got = append(got, verdict)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	now := &Report{Worlds: []World{world(1000, Row{Served: Measure{PerSecond: 300, CPU: 50}}, Row{})}}
	was := &Report{Worlds: []World{world(1000, Row{Served: Measure{PerSecond: 200, CPU: 100}}, Row{})}}
	if text := now.Compare(was); !strings.Contains(text, "sqlite 1000 list x16: 300 requests/s, was 200 (1.50); CPU 50 us, was 100 (2.00)") {
		t.Error(text)
	}
	if text := now.Compare(&Report{}); strings.Contains(text, "list") {
		t.Errorf("compared with nothing: %s", text)
	}
}

func TestMarkdownKeepsTheOtherText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	report := func(perSecond float64) *Report {
		return &Report{Worlds: []World{world(1000, Row{Served: Measure{PerSecond: perSecond}}, Row{})}}
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
		q.open = append(q.open, meet.RandomID[meet.EventKind]())
	}
	for i := range 8 {
		q.tokens = append(q.tokens, fmt.Sprint("token", i))
		q.circle.guests = append(q.circle.guests, login{Access: q.tokens[i]})
	}
	for range 40 {
		q.circle.posts = append(q.circle.posts, meet.RandomID[meet.PostKind]())
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

var (
	readOne  = db.SQL("bench.test_read", `SELECT $1 AS a, $2 AS b, $1 AS again`)
	writeOne = db.SQL("bench.test_write", `INSERT INTO things (a) VALUES ($1)`)
)

func TestOneStatement(t *testing.T) {
	text, args := oneStatement(call{{readOne, []any{"x", int64(2)}}, {writeOne, []any{"y"}}})
	const want = "WITH s0 AS MATERIALIZED (SELECT $1 AS a, $2 AS b, $1 AS again), s1 AS (INSERT INTO things (a) VALUES ($3)) SELECT 1, (SELECT COUNT(*) FROM s0)"
	if text != want || !slices.Equal(args, []any{"x", int64(2), "y"}) {
		t.Errorf("%s %v", text, args)
	}
}
