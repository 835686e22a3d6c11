package architecture_test

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// seatsFreers are the functions after which seats are not taken any more.
var seatsFreers = []string{
	"afterEnd",         // leave, block, deletion
	"change",           // a smaller party
	"endEntries",       // block, deletion
	"endEntry",         // an offer is given up, or withdrawn by the organizer
	"joinFromWaitlist", // an offer that has ended, or is for more than who comes
	"shrinkOffer",      // a smaller party
}

// TestSeatsAreFreedInOnePlace finds code that frees seats past attendance.seatsFreed, and new callers of it.
func TestSeatsAreFreedInOnePlace(t *testing.T) {
	callers := map[string]bool{}
	for _, f := range project(t) {
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if literal, is := n.(*ast.BasicLit); is && strings.Contains(literal.Value, "UPDATE event_slots SET n = n -") &&
					f.name != "internal/meetup/attendance/freed.go" && !strings.HasPrefix(f.name, "internal/test/architecture/") {
					t.Errorf("%s frees seats: call attendance.seatsFreed", at(n))
				}
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				if name, is := call.Fun.(*ast.Ident); is && name.Name == "seatsFreed" {
					callers[d.(*ast.FuncDecl).Name.Name] = true
				}
				return true
			})
		}
	}
	if got := slices.Sorted(maps.Keys(callers)); !slices.Equal(got, seatsFreers) {
		t.Errorf("seats are freed by %v, the list has %v", got, seatsFreers)
	}
}
