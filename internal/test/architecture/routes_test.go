package architecture_test

import (
	"slices"
	"strings"
	"testing"
)

// TestRoutesOutsideTheContract compares the routes that are not generated with the plan.
func TestRoutesOutsideTheContract(t *testing.T) {
	var routes []string
	for _, f := range project(t) {
		if !strings.HasPrefix(f.name, "internal/") {
			continue
		}
		for _, call := range slices.Concat(calls(f, "Handle"), calls(f, "HandleFunc")) {
			if route, ok := text(call.Args[0]); ok && strings.Contains(route, "/") {
				routes = append(routes, route)
			}
		}
	}
	slices.Sort(routes)
	if !slices.Equal(routes, outside) {
		t.Errorf("routes %q, the plan lists %q", routes, outside)
	}
}
