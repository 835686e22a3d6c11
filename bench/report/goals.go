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
	operation string // empty: of the whole dataset
	callers   int
	engine    string // empty: every engine
	events    int    // 0: every dataset with 100,000 followers
	figure    figure
	limit     float64
	bare      float64 // the bare handler's figure when the limit was set; 0: the figure needs no floor
}

// figure is the quantity of a goal. value returns 0 if it is unknown.
type figure struct {
	name    string
	value   func(r *Report, d Dataset, row Row) float64
	bare    func(row Row) float64 // the same quantity of the bare handler; nil: the figure needs no floor
	minimum bool                  // the limit is a minimum
}

var (
	cost = figure{
		name:  "us of processor time",
		value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.Cost() },
		bare:  func(row Row) float64 { return row.Bare.CPU },
	}
	p99 = figure{
		name:  "ms at p99",
		value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.P99.Seconds() * 1000 },
		bare:  func(row Row) float64 { return ratio(1000, row.Bare.PerSecond) },
	}
	perS = figure{
		name:    "requests/s",
		value:   func(_ *Report, _ Dataset, row Row) float64 { return row.Served.PerSecond },
		bare:    func(row Row) float64 { return row.Bare.PerSecond },
		minimum: true,
	}
	bare = figure{name: "of the bare handler's rate", value: func(_ *Report, _ Dataset, row Row) float64 { return row.OfBare() },
		minimum: true}
	plain = figure{name: "times cheaper than the plain handler", value: func(_ *Report, _ Dataset, row Row) float64 { return row.OfPlain() },
		minimum: true}
	// On PostgreSQL the counter's row is locked until each commit.
	counter = figure{name: "times the rate of a counter in a single row",
		value: func(_ *Report, _ Dataset, row Row) float64 { return row.OfCounter() }, minimum: true}
	growth = figure{name: "times the processor time with 100,000 events", value: func(r *Report, d Dataset, row Row) float64 {
		smaller, _ := r.find(d.Engine, middle)
		before, _ := smaller.find(row.Operation, row.Callers)
		return ratio(row.Served.Cost(), before.Served.Cost())
	}}
	unfollowed = figure{name: "times the response time without followers", value: func(_ *Report, d Dataset, row Row) float64 {
		plain, _ := d.find("publish", row.Callers)
		return ratio(row.Served.P50.Seconds(), plain.Served.P50.Seconds())
	}}
	ofFollowed = figure{name: "times the processor time of telling followers", value: func(_ *Report, d Dataset, row Row) float64 {
		followed, _ := d.find("publish followed", row.Callers)
		return ratio(row.Served.Cost(), followed.Served.Cost())
	}}
	readable = figure{name: "ms until all followers can read of it", value: func(_ *Report, _ Dataset, row Row) float64 {
		return row.Served.After.Seconds() * 1000
	}}
	messages = figure{name: "messages/s", value: func(_ *Report, _ Dataset, row Row) float64 { return row.Served.PerSecond }, minimum: true}
	response = figure{name: "MiB of memory for one response, beyond one event's share of it",
		value: func(_ *Report, d Dataset, row Row) float64 {
			if d.Memory.Response == 0 {
				return 0
			}
			const events = 50
			return max(float64(d.Memory.Response)-float64(row.Bytes)/events, 1) / (1 << 20)
		}}
	memory = figure{name: "MiB of memory at most, all operations", value: func(_ *Report, d Dataset, _ Row) float64 {
		return float64(d.Memory.Peak)
	}}
	firstCreate = figure{name: "ms", value: func(_ *Report, d Dataset, _ Row) float64 { return d.FirstCreate.Seconds() * 1000 }}
)

// The limits of processor time, latency and rate were set beside the bare handler of one
// machine. On another machine they stand in the same ratio to its bare handler.
var goals = []goal{
	{"list", 16, "", middle, bare, 0.7, 0},
	{"list cold", 16, "", middle, cost, 90, 17},
	{"list cold", 16, "", large, growth, 1.3, 0},
	{"list apart", 1, "", large, p99, 5, 0.086},
	{"nearby 50 km", 16, "", middle, cost, 250, 16},
	{"text common", 16, "", middle, cost, 250, 17},
	{"text rare", 16, "", middle, cost, 250, 17},
	{"map of a city", 16, "", middle, cost, 800, 16},
	{"clusters of a city", 16, "", middle, cost, 800, 19},
	{"suggest", 1, "", middle, p99, 5, 0.086},
	{"clusters of a country", 16, "", middle, cost, 800, 18},
	{"detail", 16, "", middle, cost, 50, 13},
	{"detail signed in", 16, sqlite, middle, cost, 80, 15},
	{"detail signed in", 16, postgres, middle, cost, 200, 15},
	{"feed signed in", 16, "", middle, cost, 400, 15},
	{"join", 256, sqlite, middle, cost, 250, 18},
	{"join", 256, sqlite, middle, perS, 8000, 60_300},
	{"join", 256, postgres, middle, cost, 700, 18},
	{"join hot", 256, postgres, middle, counter, 2, 0},
	{"publish followed", 1, "", 0, unfollowed, 1.1, 0},
	{"publish followed", 1, "", 0, readable, 50, 0},
	{"publish in group", 1, "", 0, ofFollowed, 1.1, 0},
	{"publish in group", 1, "", 0, readable, 50, 0},
	{"plan mails", 1, "", 0, messages, 33_000, 0},
	{"send mails", 1, "", middle, messages, 200, 0},
	{"send pushes", 1, "", middle, messages, 2000, 0},
	{"threads", 1, "", middle, response, 1, 0},
	{"threads", 1, sqlite, large, memory, 300, 0},
	{"", 0, "", middle, firstCreate, 50, 0},
	{"list", 16, "", middle, plain, 1.5, 0},
	{"list cold", 16, "", middle, plain, 1.5, 0},
	{"list city", 16, "", middle, plain, 1.5, 0},
	{"detail", 16, "", middle, plain, 1.5, 0},
	{"nearby 50 km", 16, "", middle, plain, 1.5, 0},
	{"text common", 16, "", middle, plain, 1.5, 0},
	{"text rare", 16, "", middle, plain, 1.5, 0},
	{"join", 64, "", middle, plain, 1.5, 0},
	{"create", 64, "", middle, plain, 1.5, 0},
	{"refresh", 64, "", middle, plain, 1.5, 0},
}

// judge returns a table of the measured goals: whether each was reached.
func (r *Report) judge() (table [][]string) {
	for _, d := range r.Datasets {
		for _, g := range goals {
			row, ok := d.find(g.operation, g.callers)
			if g.operation == "" {
				row, ok = Row{Operation: "first POST /events with coordinates"}, true
			}
			value := g.figure.value(r, d, row)
			if !ok || !g.in(d) || value == 0 {
				continue
			}
			what := row.Operation
			if g.callers > 0 {
				what += " by " + strconv.Itoa(g.callers)
			}
			limit, measured, verdict := figureText(g.limit), figureText(value), "missed"
			if g.bare > 0 {
				now := g.figure.bare(row)
				limit, measured = withRatio(g.limit, g.bare), withRatio(value, now)
				value *= g.bare / now
			}
			bound := "at most "
			if g.figure.minimum {
				bound = "at least "
			}
			if value == g.limit || value > g.limit == g.figure.minimum {
				verdict = "reached"
			}
			table = append(table, []string{fmt.Sprintf("%s, %d events: %s, %s", d.Engine, d.Events, what, g.figure.name), bound + limit, measured,
				verdict})
		}
	}
	if table == nil {
		return nil
	}
	return append([][]string{{"goal", "limit", "measured", ""}}, table...)
}

// withRatio writes a figure and what it is of the bare handler's.
func withRatio(value, bare float64) string {
	return fmt.Sprintf("%s (%s of bare)", figureText(value), figureText(ratio(value, bare)))
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
