package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Turns are the reports of two builds that were measured in turn. The old build was measured twice in each round: Old and Again differ
// only by the noise of the machine.
type Turns struct{ Old, New, Again []*Report }

// tolerance is by how much a request may cost more than before, even without noise.
const tolerance = 0.03

// Markdown returns a table for each dataset, with medians of processor time. The spread is by how much the two medians of the old build
// differ. A request is dearer if the ratio of new to old exceeds 1 by more than 3 percent and the spread.
func (t Turns) Markdown() string {
	var b strings.Builder
	for _, d := range t.New[0].Datasets {
		fmt.Fprintf(&b, "\n### %s, %d events: medians of %d rounds\n\n", d.Engine, d.Events, len(t.New))
		table := [][]string{{"operation", "callers", "CPU us before", "now", "ratio", "spread %", "dearer"}}
		for _, row := range d.Rows {
			table = append(table, t.row(d, row))
		}
		writeTable(&b, table)
	}
	return b.String()
}

// row compares the costs of a row of a dataset.
func (t Turns) row(d Dataset, row Row) []string {
	costs := func(reports ...*Report) float64 { return medianCost(reports, d, row) }
	before, now := costs(slices.Concat(t.Old, t.Again)...), costs(t.New...)
	spread := math.Abs(ratio(costs(t.Again...), costs(t.Old...)) - 1)
	times, verdict := ratio(now, before), ""
	switch {
	case times == 0:
		spread = 0 // not measured by both
	case times > 1+max(tolerance, spread):
		verdict = "yes"
	}
	return []string{
		row.Operation, strconv.Itoa(row.Callers), number(before, 0), number(now, 0), number(times, 2), number(100*spread, 1), verdict,
	}
}

// medianCost returns the median of the costs of a row in several reports; 0 if none of them has it.
func medianCost(reports []*Report, d Dataset, row Row) float64 {
	var costs []float64
	for _, r := range reports {
		dataset, _ := r.find(d.Engine, d.Events)
		if found, ok := dataset.find(row.Operation, row.Callers); ok {
			costs = append(costs, found.Served.Cost())
		}
	}
	if len(costs) == 0 {
		return 0
	}
	slices.Sort(costs)
	return (costs[(len(costs)-1)/2] + costs[len(costs)/2]) / 2
}
