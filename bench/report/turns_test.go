package report

import (
	"strings"
	"testing"
)

// TestTurnsNameDearerRequests compares medians: one slow round counts for nothing, and neither does a change below the noise.
func TestTurnsNameDearerRequests(t *testing.T) {
	rounds := func(costs map[string][]float64) (reports []*Report) {
		for i := range 3 {
			var rows []Row
			for _, name := range []string{"list", "join", "create", "added"} {
				if cost, measured := costs[name]; measured {
					rows = append(rows, Row{Operation: name, Callers: 16, Served: Measure{CPU: cost[i]}})
				}
			}
			reports = append(reports, &Report{Datasets: []Dataset{{Engine: "sqlite", Events: 1000, Rows: rows}}})
		}
		return reports
	}
	turns := Turns{
		Old:   rounds(map[string][]float64{"list": {100, 100, 900}, "join": {100, 100, 100}, "create": {100, 100, 100}}),
		Again: rounds(map[string][]float64{"list": {100, 900, 100}, "join": {100, 100, 100}, "create": {110, 110, 110}}),
		New:   rounds(map[string][]float64{"list": {102, 102, 900}, "join": {104, 104, 104}, "create": {115, 115, 115}, "added": {5, 5, 5}}),
	}
	got := turns.Markdown()
	for _, want := range []string{
		"### sqlite, 1000 events: medians of 3 rounds",
		"| list | 16 | 100 | 102 | 1.02 | - |  |",
		"| join | 16 | 100 | 104 | 1.04 | - | yes |",
		"| create | 16 | 105 | 115 | 1.10 | 10.0 |  |",
		"| added | 16 | - | 5 | - | - |  |",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
