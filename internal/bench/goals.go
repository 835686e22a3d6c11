package bench

import (
	"fmt"

	"moothall/internal/platform/db"
)

// goal is something to reach, and what was measured of it.
type goal struct {
	what    string
	reached bool
	figures string
}

// String says it in one line.
func (g goal) String() string {
	verdict := "not reached"
	if g.reached {
		verdict = "reached"
	}
	return fmt.Sprintf("%s: %s (%s)", g.what, verdict, g.figures)
}

// The worlds in which goals are set.
const (
	small  = 10_000
	middle = 100_000
	large  = 1_000_000
)

// goals judges what the report holds: what was not measured is left out.
func (r *Report) goals() []goal {
	var all []goal
	for _, w := range r.Worlds {
		switch w.Events {
		case middle:
			all = append(all, w.pageGoals()...)
			all = append(all, w.feedGoals()...)
			all = append(all, w.joinGoals()...)
		case large:
			all = append(all, r.growthGoals(w)...)
			all = append(all, w.worstGoals()...)
			all = append(all, w.textGoals()...)
			all = append(all, w.feedGoals()...)
			all = append(all, w.processGoals()...)
		}
		all = append(all, w.followersGoals()...)
	}
	return all
}

// find gives the row of an operation.
func (w World) find(operation string, callers int) (Row, bool) {
	for _, row := range w.Rows {
		if row.Operation == operation && row.Callers == callers {
			return row, true
		}
	}
	return Row{}, false
}

// find gives a world.
func (r *Report) find(engine string, events int) (World, bool) {
	for _, w := range r.Worlds {
		if w.Engine == engine && w.Events == events {
			return w, true
		}
	}
	return World{}, false
}

// goal is one that is set in this world.
func (w World) goal(what string, reached bool, figures string, args ...any) goal {
	return goal{fmt.Sprintf("%s, %d events: %s", w.Engine, w.Events, what), reached, fmt.Sprintf(figures, args...)}
}

// atLeast and atMost are reached by what is known only.
func atLeast(x, limit float64) bool { return x > 0 && x >= limit }

func atMost(x, limit float64) bool { return x > 0 && x <= limit }

const (
	hotShare     = 0.7
	coldShare    = 0.7
	detailShare  = 0.6
	detailNumber = 3
)

func (w World) pageGoals() (all []goal) {
	if row, ok := w.find("list", 16); ok {
		all = append(all, w.goal("a hot list page at 0.7 of the bare handler", atLeast(row.OfBare(), hotShare),
			"%s; by processor time %s", share(row.OfBare()), share(ratio(row.Bare.Cost(), row.Served.Cost()))))
	}
	if row, ok := w.find("list cold", 16); ok {
		all = append(all, w.goal("a list page that is computed at 0.7 of the engine's own statement", atLeast(row.OfStatement(), coldShare),
			"%s; by processor time %s; %s of what HTTP and the statement together leave",
			share(row.OfStatement()), share(row.ofStatementCost()), share(row.OfBoth())))
	}
	if row, ok := w.find("detail signed in", 16); ok {
		reached := row.Statements <= detailNumber && atLeast(row.OfStatement(), detailShare)
		all = append(all, w.goal("detail signed in by at most two statements beside the session's, at 0.6 of the engine's own", reached,
			"%d with the session's, %s; by processor time %s", row.Statements, share(row.OfStatement()), share(row.ofStatementCost())))
	}
	return all
}

// ofStatementCost compares by processor time, which a busy machine changes
// less than the rate.
func (row Row) ofStatementCost() float64 { return ratio(row.Statement.Cost(), row.Served.Cost()) }

const growth = 1.3

// growthGoals compares a large world with a small one on the same engine.
func (r *Report) growthGoals(w World) (all []goal) {
	before, ok := r.find(w.Engine, small)
	if !ok {
		return nil
	}
	for _, operation := range []string{"list cold", "detail", "nearby 50 km", "map of a city"} {
		then, ok := before.find(operation, 16)
		now, ok2 := w.find(operation, 16)
		if ok && ok2 {
			grown := ratio(now.Served.Cost(), then.Served.Cost())
			all = append(all, w.goal(operation+" at most 1.3 times as dear as with 10,000 events", atMost(grown, growth),
				"%s times, %s us", share(grown), micro(now.Served.Cost())))
		}
	}
	return all
}

const worstTimes = 12

// worst are the shapes in which searches by place cost most.
var worst = []string{"list apart", "nearby 500 km", "nearby centre", "nearby sea", "map of a city", "map of a country", "map of the sea",
	"clusters of a city", "clusters of a country"}

func (w World) worstGoals() (all []goal) {
	list, ok := w.find(listPage, listPageCallers)
	if !ok {
		return nil
	}
	for _, operation := range worst {
		if row, ok := w.find(operation, 1); ok {
			times := ratio(float64(row.Served.P99.Microseconds()), list.Served.Cost())
			all = append(all, w.goal(operation+" in 99 of 100 cases within 12 list pages", atMost(times, worstTimes),
				"%s, %s ms", share(times), ms(row.Served.P99)))
		}
	}
	return all
}

// within judges an operation by its cost in list pages.
func (w World) within(operation string, limit float64) (all []goal) {
	row, ok := w.find(operation, 16)
	if _, measured := w.find(listPage, listPageCallers); !ok || !measured {
		return nil
	}
	return []goal{w.goal(fmt.Sprintf("%s within %v list pages", operation, limit), atMost(w.listPages(row), limit),
		"%s, %s us", share(w.listPages(row)), micro(row.Served.Cost()))}
}

const (
	textPages = 6
	feedPages = 5
)

func (w World) textGoals() (all []goal) {
	for _, operation := range []string{"text common", "text rare", "text apart"} {
		all = append(all, w.within(operation, textPages)...)
	}
	return all
}

func (w World) feedGoals() []goal { return w.within("feed signed in", feedPages) }

const (
	joinTimes    = 3
	joinShare    = 0.7
	counterTimes = 6
)

func (w World) joinGoals() (all []goal) {
	if join, ok := w.find("join", 256); ok {
		what, limit := "joins by 256 callers at 3 times one transaction each", float64(joinTimes)
		if w.Engine != db.SQLite.String() {
			what, limit = "joins by 256 callers at 0.7 of one statement each", joinShare
		}
		all = append(all, w.goal(what, atLeast(join.OfStatement(), limit), "%s, %s a second", share(join.OfStatement()), rate(join.Served.PerSecond)))
	}
	if hot, ok := w.find("join hot", 256); ok && hot.Counter.Requests > 0 {
		times := ratio(hot.Served.PerSecond, hot.Counter.PerSecond)
		all = append(all, w.goal("joins of one event at 6 times a counter in a single row", atLeast(times, counterTimes),
			"%s times, %s a second and the counter %s", share(times), rate(hot.Served.PerSecond), rate(hot.Counter.PerSecond)))
	}
	return all
}

const (
	mostMemory  = 300 // MiB
	longestLead = 0.5 // seconds
)

func (w World) processGoals() (all []goal) {
	if w.Memory.Peak > 0 && w.Engine == db.SQLite.String() {
		all = append(all, w.goal("under 300 MiB of memory", w.Memory.Peak < mostMemory, "%d MiB at most, %d in the end", w.Memory.Peak, w.Memory.End))
	}
	if w.Start > 0 {
		all = append(all, w.goal("from start to first answer in half a second", w.Start.Seconds() < longestLead, "%s ms", ms(w.Start)))
	}
	return all
}

const (
	told = 50_000
	// A request that leaves a job behind may write two rows more than one that
	// does not.
	followedTimes = 1.5
)

func (w World) followersGoals() []goal {
	followed, ok := w.find("publish followed", 1)
	if !ok || w.Followers != mostFollowed {
		return nil
	}
	perSecond := ratio(float64(w.Followers), followed.Served.After.Seconds())
	goals := []goal{w.goal("100,000 followers told at 50,000 a second", atLeast(perSecond, told), "%s a second", rate(perSecond))}
	if plain, ok := w.find("publish", 1); ok {
		times := ratio(followed.Served.P50.Seconds(), plain.Served.P50.Seconds())
		goals = append(goals, w.goal("publishing takes no longer with 100,000 followers", atMost(times, followedTimes),
			"%s times, %s ms and without followers %s ms", share(times), ms(followed.Served.P50), ms(plain.Served.P50)))
	}
	return goals
}
