package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
		if got := Percentile(c.of, c.p); got != c.want {
			t.Errorf("%v%% of %d values: %d, not %d", c.p, len(c.of), got, c.want)
		}
	}
}

func TestRatiosAreUnknownWithoutFloor(t *testing.T) {
	row := Row{Served: Measure{PerSecond: 500}, Bare: Measure{PerSecond: 4000}, Counter: Measure{PerSecond: 250}}
	if row.OfBare() != 0.125 || row.OfCounter() != 2 {
		t.Errorf("of bare %v, of counter %v", row.OfBare(), row.OfCounter())
	}
	row.Bare = Measure{}
	if row.OfBare() != 0 || number(row.OfBare(), 2) != unknown {
		t.Errorf("without a floor: %v", row.OfBare())
	}
}

func TestMeasureDividesByRequests(t *testing.T) {
	var u Usage
	for _, took := range []time.Duration{3 * time.Millisecond, time.Millisecond} {
		u.Add(Usage{
			Requests: 1, Took: []time.Duration{took}, Total: time.Second,
			Processor: 500 * time.Millisecond, Database: 5 * time.Millisecond, Generator: 250 * time.Millisecond,
			Allocations: 10, AllocatedBytes: 1000, Statements: 1,
		})
	}
	want := Measure{
		Requests: 2, PerSecond: 1, P50: time.Millisecond, P99: 3 * time.Millisecond, P999: 3 * time.Millisecond, CPU: 500_000, Database: 5000,
		Allocations: 10, Allocated: 1000, Statements: 1, Generator: 0.25,
	}
	if m := u.Measure(); m != want {
		t.Errorf("%+v", m)
	}
	if none := (Usage{Total: time.Second}).Measure(); none != (Measure{}) {
		t.Errorf("nothing was measured: %+v", none)
	}
}

// dataset returns a Dataset with the rows.
func dataset(engine string, events int, rows ...Row) Dataset {
	return Dataset{Engine: engine, Version: engine, Events: events, Rows: rows}
}

// row returns a Row with the figures of the service.
func row(operation string, callers int, served Measure) Row {
	return Row{Operation: operation, Callers: callers, Served: served}
}

// followed returns a dataset in which publishing takes 2 ms, and more for an
// organizer with followers.
func followed(followers int, p50, after time.Duration) Dataset {
	d := dataset(postgres, 1000, row("publish", 1, Measure{P50: 2 * time.Millisecond}),
		row("publish followed", 1, Measure{P50: p50, After: after}))
	d.Followers = followers
	return d
}

func TestGoals(t *testing.T) {
	hot := func(rate float64) Row {
		return Row{Operation: "list", Callers: 16, Served: Measure{PerSecond: rate}, Bare: Measure{PerSecond: 10000}}
	}
	counted := func(rate float64) Row {
		return Row{Operation: "join hot", Callers: 256, Served: Measure{PerSecond: rate}, Counter: Measure{PerSecond: 1}}
	}
	costs := func(operation string, callers int, us float64) Row {
		r := row(operation, callers, Measure{CPU: us - 1, Database: 1})
		r.Bare.CPU = 17
		return r
	}
	peer := func(operation string, us float64) Row {
		return Row{Operation: operation, Callers: 64, Served: Measure{CPU: 100}, Plain: Measure{CPU: us - 1, Database: 1}}
	}
	process := func(events, memory, response int, create time.Duration) Dataset {
		d := dataset(sqlite, events, Row{Operation: "threads", Callers: 1, Bytes: 50 << 20})
		d.Memory.Peak, d.Memory.Response, d.FirstCreate = memory, int64(response), create
		return d
	}
	floored := func(operation string, callers int, served, bare Measure) Row {
		return Row{Operation: operation, Callers: callers, Served: served, Bare: bare}
	}
	for _, c := range []struct {
		name     string
		datasets []Dataset
		want     string
	}{
		{"nothing measured", nil, ""},
		{"no rows", []Dataset{dataset(sqlite, middle), dataset(sqlite, large)}, ""},
		{"hot", []Dataset{dataset(sqlite, middle, hot(7000)), dataset(postgres, middle, hot(6900))}, "reached, missed"},
		{"without a floor", []Dataset{dataset(sqlite, middle, row("list", 16, Measure{PerSecond: 1}))}, ""},
		{"other callers", []Dataset{dataset(sqlite, middle, costs("list cold", 256, 1))}, ""},
		{"cold", []Dataset{dataset(sqlite, middle, costs("list cold", 16, 90)), dataset(postgres, middle, costs("list cold", 16, 91))}, "reached, missed"},
		{"growth", []Dataset{dataset(sqlite, middle, costs("list cold", 16, 90)), dataset(sqlite, large, costs("list cold", 16, 117))}, "reached, reached"},
		{"growth on another engine", []Dataset{dataset(sqlite, middle, costs("list cold", 16, 90)), dataset(postgres, large, costs("list cold", 16, 90))}, "reached"},
		{"a limit of one engine", []Dataset{dataset(sqlite, middle, costs("detail signed in", 16, 100)), dataset(postgres, middle, costs("detail signed in", 16, 100))}, "missed, reached"},
		{"slow machine", []Dataset{dataset(sqlite, middle, floored("list cold", 16, Measure{CPU: 180}, Measure{CPU: 34}), floored("detail", 16, Measure{CPU: 101}, Measure{CPU: 26}))}, "reached, missed"},
		{"p99", []Dataset{dataset(sqlite, large, floored("list apart", 1, Measure{P99: 10 * time.Millisecond}, Measure{PerSecond: 5800}))}, "reached"},
		{"join", []Dataset{dataset(sqlite, middle, floored("join", 256, Measure{CPU: 250, PerSecond: 7999}, Measure{CPU: 18, PerSecond: 60_300}))}, "reached, missed"},
		{"plain", []Dataset{dataset(postgres, middle, peer("join", 150), peer("create", 149), peer("like", 1000))}, "reached, missed"},
		{"join hot", []Dataset{dataset(postgres, middle, counted(2)), dataset(sqlite, middle, counted(1))}, "reached"},
		{"followers", []Dataset{followed(mostFollowers, 2200*time.Microsecond, 50*time.Millisecond)}, "reached, reached"},
		{"slow with followers", []Dataset{followed(mostFollowers, 2300*time.Microsecond, 51*time.Millisecond)}, "missed, missed"},
		{"too few followers", []Dataset{followed(1000, time.Millisecond, time.Millisecond)}, ""},
		{"memory", []Dataset{process(large, 300, 0, 0), process(large, 301, 0, 0), process(middle, 400, 2<<20, 0), process(middle, 400, 2<<20+1, 0)}, "reached, missed, reached, missed"},
		{"start", []Dataset{process(middle, 0, 0, 50*time.Millisecond), process(middle, 0, 0, 51*time.Millisecond)}, "reached, missed"},
	} {
		var got []string
		for i, cells := range (&Report{Datasets: c.datasets}).judge() {
			if i > 0 { // below the header
				got = append(got, cells[len(cells)-1])
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestCompareShowsRatioOfProcessorTime(t *testing.T) {
	report := func(perSecond, cpu float64) *Report {
		return &Report{Datasets: []Dataset{dataset(sqlite, 1000, row("list", 16, Measure{PerSecond: perSecond, CPU: cpu}))}}
	}
	now := report(300, 110)
	if text, want := now.Compare(report(200, 100)), "| list | 16 | 100 | 110 | 1.10 | 200 | 300 |"; !strings.Contains(text, want) {
		t.Errorf("%s, not %s", text, want)
	}
	if text := now.Compare(&Report{}); !strings.Contains(text, "none of these datasets") {
		t.Errorf("compared with nothing: %s", text)
	}
}

func TestTableOmitsEmptyColumns(t *testing.T) {
	r := row("list", 16, Measure{CPU: 50})
	table := dataset(sqlite, 1000, r).table()
	if slices.Contains(table[0], "database CPU us") || !slices.Contains(table[0], "CPU us") || len(table) != 2 ||
		len(table[0]) != len(table[1]) {
		t.Errorf("%q", table)
	}
	r.Served.Database = 3
	if table := dataset(postgres, 1000, r).table(); !slices.Contains(table[0], "database CPU us") {
		t.Errorf("%q", table)
	}
}

// TestPrepareMarkdown checks the file of the tables before anything is measured.
func TestPrepareMarkdown(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new.md")
	for range 2 { // creates the file, then finds it
		if err := PrepareMarkdown(path, sqlite); err != nil {
			t.Fatal(err)
		}
	}
	r := &Report{Datasets: []Dataset{dataset(sqlite, 1000, row("list", 16, Measure{PerSecond: 111}))}}
	if err := r.WriteMarkdown(path); err != nil {
		t.Error(err)
	}
	if err := PrepareMarkdown(path, postgres); err == nil {
		t.Error("a file without the markers of the engine is not refused")
	}
	if err := PrepareMarkdown(filepath.Join(dir, "missing", "new.md"), sqlite); err == nil {
		t.Error("a folder that does not exist is not refused")
	}
}

func TestWriteMarkdownKeepsOtherText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	report := func(perSecond float64) *Report {
		return &Report{Datasets: []Dataset{dataset(sqlite, 1000, row("list", 16, Measure{PerSecond: perSecond}))}}
	}
	write("before\n" + marker(sqlite, "begins") + "\n" + marker(sqlite, "ends") + "\nafter\n")
	for _, rate := range []float64{111, 222} {
		if err := report(rate).WriteMarkdown(path); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(); !strings.HasPrefix(text, "before\n") || !strings.HasSuffix(text, "after\n") ||
		!strings.Contains(text, "| list | 16 | 222 |") || strings.Contains(text, "111") {
		t.Error(text)
	}
	write("no markers")
	if err := report(1).WriteMarkdown(path); err == nil || read() != "no markers" {
		t.Errorf("%v: %s", err, read())
	}
}
