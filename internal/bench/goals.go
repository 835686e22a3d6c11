package bench

import (
	"fmt"
	"strings"

	"moothall/internal/db"
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

// goals judges what the report holds: on SQLite, and what concerns followers on
// both engines.
func (r *Report) goals() []goal {
	var all []goal
	row := func(events int, operation string, callers int) (Row, bool) {
		return r.find(db.SQLite.String(), events, operation, callers)
	}
	if list, ok := row(100_000, "list", 16); ok {
		all = append(all, listGoal(list))
	}
	if join, ok := row(100_000, "join", 256); ok {
		all = append(all, joinGoal(join))
	}
	small, ok := row(10_000, "list", 16)
	large, ok2 := row(1_000_000, "list", 16)
	if ok && ok2 {
		all = append(all, growthGoal("first page", small, large))
	}
	small, ok = row(10_000, "list cold", 16)
	large, ok2 = row(1_000_000, "list cold", 16)
	if ok && ok2 {
		all = append(all, growthGoal("other pages", small, large))
	}
	for _, w := range r.Worlds {
		if w.Followers == mostFollowed {
			all = append(all, r.followersGoals(w)...)
		}
	}
	list, ok := row(1_000_000, "list", 16)
	feed, ok2 := row(1_000_000, "feed signed in", 16)
	if ok && ok2 {
		all = append(all, feedGoal(list, feed))
	}
	return all
}

// find gives the row of an operation in a world.
func (r *Report) find(engine string, events int, operation string, callers int) (Row, bool) {
	for _, w := range r.Worlds {
		if w.Engine != engine || w.Events != events {
			continue
		}
		for _, row := range w.Rows {
			if row.Operation == operation && row.Callers == callers {
				return row, true
			}
		}
	}
	return Row{}, false
}

const listShare = 0.6

func listGoal(row Row) goal {
	return goal{
		what:    "a list page of 20 at 0.6 of its statement's own rate",
		reached: row.OfStatement() >= listShare,
		figures: fmt.Sprintf("%s; by processor time %s; %s of what HTTP and the statement together leave",
			share(row.OfStatement()), share(ratio(row.Statement.CPU, row.Served.CPU)), share(row.OfBoth())),
	}
}

const (
	joinRate  = 8000
	joinTimes = 3
)

func joinGoal(row Row) goal {
	return goal{
		what:    "durable joins by 256 callers: 8000 a second, or 3 times one transaction each",
		reached: row.Served.PerSecond >= joinRate || row.OfStatement() >= joinTimes,
		figures: fmt.Sprintf("%s a second, %s times", rate(row.Served.PerSecond), share(row.OfStatement())),
	}
}

const feedTimes = 5

func feedGoal(list, feed Row) goal {
	times := ratio(cost(feed), cost(list))
	return goal{
		what:    "a feed of somebody with 500 follows at most 5 times as dear as a list page, with 1M events",
		reached: times > 0 && times <= feedTimes,
		figures: fmt.Sprintf("%s times, p99 %s ms", share(times), ms(feed.Served.P99)),
	}
}

func (r *Report) followersGoals(w World) []goal {
	followed, ok := r.find(w.Engine, w.Events, "publish followed", 1)
	if !ok {
		return nil
	}
	goals := []goal{expansionGoal(w, followed)}
	if plain, ok := r.find(w.Engine, w.Events, "publish", 1); ok {
		goals = append(goals, followedGoal(w, plain, followed))
	}
	return goals
}

const told = 50_000

func expansionGoal(w World, publish Row) goal {
	perSecond := ratio(float64(w.Followers), publish.Served.After.Seconds())
	return goal{
		what:    fmt.Sprintf("100,000 followers told at 50,000 a second (%s, %d events)", w.Engine, w.Events),
		reached: perSecond >= told,
		figures: fmt.Sprintf("%s a second", rate(perSecond)),
	}
}

// A request that leaves a job behind may write two rows more than one that
// does not.
const followedTimes = 1.5

func followedGoal(w World, plain, followed Row) goal {
	times := ratio(followed.Served.P50.Seconds(), plain.Served.P50.Seconds())
	return goal{
		what:    fmt.Sprintf("publishing takes no longer with 100,000 followers (%s, %d events)", w.Engine, w.Events),
		reached: times > 0 && times <= followedTimes,
		figures: fmt.Sprintf("%s times, %s ms and without followers %s ms", share(times), ms(followed.Served.P50), ms(plain.Served.P50)),
	}
}

// cost is what a request takes of the processor; where that is not known the
// rate stands for it.
func cost(r Row) float64 {
	if r.Served.CPU > 0 {
		return r.Served.CPU
	}
	return ratio(1e6, r.Served.PerSecond)
}

const growth = 1.5

func growthGoal(page string, small, large Row) goal {
	grown := ratio(cost(large), cost(small))
	return goal{
		what:    "a list page (" + page + ") with 1M events at most 1.5 times as dear as with 10k",
		reached: grown > 0 && grown <= growth,
		figures: share(grown) + " times",
	}
}

// Compare shows each figure beside that of an earlier report, and how many
// times better it is now: more requests a second, less processor time.
func (r *Report) Compare(earlier *Report) string {
	var b strings.Builder
	b.WriteString("\nCompared with the earlier run (above 1 is better now):\n")
	for _, w := range r.Worlds {
		for _, row := range w.Rows {
			if was, ok := earlier.find(w.Engine, w.Events, row.Operation, row.Callers); ok {
				fmt.Fprintf(&b, "%s %d %s x%d: %s requests/s, was %s (%s); CPU %s us, was %s (%s)\n",
					w.Engine, w.Events, row.Operation, row.Callers,
					rate(row.Served.PerSecond), rate(was.Served.PerSecond), share(ratio(row.Served.PerSecond, was.Served.PerSecond)),
					micro(row.Served.CPU), micro(was.Served.CPU), share(ratio(was.Served.CPU, row.Served.CPU)))
			}
		}
	}
	return b.String()
}
