package report

import (
	"fmt"
	"strconv"
	"strings"

	"moothall/internal/platform/db"
)

// The datasets for which goals are set.
const (
	middle = 100_000
	large  = 1_000_000

	mostFollowers = 100_000
)

var (
	sqlite   = db.SQLite.String()
	postgres = db.PostgreSQL.String()
)

// goal is one figure of an operation and its limit.
type goal struct {
	operation string
	callers   int
	engine    string // empty: every engine
	events    int    // 0: every dataset with 100,000 followers
	figure    figure
	limit     float64
}

// figure is the quantity of a goal. value returns 0 if it is unknown.
type figure struct {
	name    string
	value   func(r *Report, d Dataset, row Row) float64
	minimum bool // the limit is a minimum
}

var (
	cost = figure{name: "us of processor time", value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.Cost() }}
	p99  = figure{name: "ms at p99", value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.P99.Seconds() * 1000 }}
	jobs = figure{name: "ms until its jobs have run", value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.After.Seconds() * 1000 }}
	perS = figure{name: "requests/s", value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.PerSecond }, minimum: true}
	bare = figure{name: "of the bare handler's rate", value: func(_ *Report, _ Dataset, row Row) float64 { return row.OfBare() }, minimum: true}
	// On PostgreSQL the counter's row is locked until each commit.
	counter = figure{name: "times the rate of a counter in a single row", value: func(_ *Report, _ Dataset, row Row) float64 { return row.OfCounter() }, minimum: true}
	growth  = figure{name: "times the processor time with 100,000 events", value: func(r *Report, d Dataset, row Row) float64 {
		smaller, _ := r.find(d.Engine, middle)
		before, _ := smaller.find(row.Operation, row.Callers)
		return ratio(row.Served.Cost(), before.Served.Cost())
	}}
	unfollowed = figure{name: "times the response time without followers", value: func(_ *Report, d Dataset, row Row) float64 {
		plain, _ := d.find("publish", row.Callers)
		return ratio(row.Served.P50.Seconds(), plain.Served.P50.Seconds())
	}}
)

var goals = []goal{
	{"list", 16, "", middle, bare, 0.7},
	{"list cold", 16, "", middle, cost, 90},
	{"list cold", 16, "", large, growth, 1.3},
	{"list apart", 1, "", large, p99, 5},
	{"nearby 50 km", 16, "", middle, cost, 250},
	{"text common", 16, "", middle, cost, 250},
	{"text rare", 16, "", middle, cost, 250},
	{"map of a city", 16, "", middle, cost, 800},
	{"clusters of a city", 16, "", middle, cost, 800},
	{"clusters of a country", 16, "", middle, cost, 800},
	{"detail", 16, "", middle, cost, 50},
	{"detail signed in", 16, sqlite, middle, cost, 80},
	{"detail signed in", 16, postgres, middle, cost, 200},
	{"feed signed in", 16, "", middle, cost, 400},
	{"join", 256, sqlite, middle, cost, 250},
	{"join", 256, sqlite, middle, perS, 8000},
	{"join", 256, postgres, middle, cost, 700},
	{"join hot", 256, postgres, middle, counter, 2},
	{"publish followed", 1, "", 0, unfollowed, 1.1},
	{"publish followed", 1, "", 0, jobs, 50},
}

// Limits of the service's process.
const (
	maxMemory      = 300 // MiB, SQLite, 1M events
	maxFirstCreate = 50  // ms
)

// judge returns one line for each measured goal: whether it was reached.
func (r *Report) judge() (lines []string) {
	for _, d := range r.Datasets {
		add := func(what, limit string, reached bool, value float64, unit string) {
			verdict := "missed"
			if reached {
				verdict = "reached"
			}
			lines = append(lines, fmt.Sprintf("%s, %d events: %s: %s %s: %s (%s)", d.Engine, d.Events, what, limit, unit, verdict, figureText(value)))
		}
		for _, g := range goals {
			row, ok := d.find(g.operation, g.callers)
			if !ok || !g.in(d) {
				continue
			}
			what := fmt.Sprintf("%s by %d", g.operation, g.callers)
			switch value := g.figure.value(r, d, row); {
			case value == 0: // unknown
			case g.figure.minimum:
				add(what, "at least "+figureText(g.limit), value >= g.limit, value, g.figure.name)
			default:
				add(what, "at most "+figureText(g.limit), value <= g.limit, value, g.figure.name)
			}
		}
		if d.Memory.Peak > 0 && d.Engine == sqlite && d.Events == large {
			add("memory", "at most 300", d.Memory.Peak <= maxMemory, float64(d.Memory.Peak), "MiB")
		}
		if first := d.FirstCreate.Seconds() * 1000; first > 0 {
			add("first POST /events with coordinates after the start", "at most 50", first <= maxFirstCreate, first, "ms")
		}
	}
	return lines
}

func (g goal) in(d Dataset) bool {
	return (g.engine == "" || g.engine == d.Engine) && (g.events == d.Events || g.events == 0 && d.Followers == mostFollowers)
}

// figureText writes large figures without decimals.
func figureText(x float64) string {
	if x >= 100 {
		return number(x, 0)
	}
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 2, 64), ".00")
}
