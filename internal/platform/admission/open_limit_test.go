package admission_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/admission"
)

// TestLargestClientLosesFirst opens and uses entries named for their client, such as "a1". The steps are
// "+a1": open, "-a1": close, "!a1": busy, "?a1": idle again.
func TestLargestClientLosesFirst(t *testing.T) {
	for _, row := range []struct {
		name, steps      string
		evicted, refused string
	}{
		{"below all limits", "+a1 +a2 +b1", "", ""},
		{"above IdleAbove, the largest client loses its oldest idle entry", "+a1 +a2 +a3 +b1 +b2", "a1", ""},
		{"busy entries are kept above IdleAbove", "+a1 !a1 +a2 !a2 +a3 +b1 +c1", "a3", ""},
		{"an entry that was used is younger", "+a1 +a2 !a1 ?a1 +b1 +a3 +c1", "a2", ""},
		{"nothing is idle: no entry is lost before Max", "+a1 !a1 +a2 !a2 +b1 !b1 +b2 !b2 +a3 !a3 +c1 !c1", "", ""},
		{"at Max, the largest client loses a busy entry", "+a1 !a1 +a2 !a2 +b1 !b1 +b2 !b2 +a3 !a3 +c1 !c1 +c2", "a1", ""},
		{"at PerClient, a client loses its own idle entry", "+a1 !a1 +a2 +a3 +a4", "a2", ""},
		{"at PerClient without an idle entry, a client is refused", "+a1 !a1 +a2 !a2 +a3 !a3 +a4", "", "a4"},
		{"closed entries do not count", "+a1 +a2 +a3 -a1 -a2 +a4 +b1 +b2", "", ""},
	} {
		limit := admission.NewOpenLimit(admission.OpenOptions{Max: 6, PerClient: 3, IdleAbove: 4})
		entries := map[string]*admission.OpenEntry{}
		var evicted, refused []string
		for step := range strings.SplitSeq(row.steps, " ") {
			name := step[1:]
			switch step[0] {
			case '+':
				entries[name] = limit.Open(name[:1], func() { evicted = append(evicted, name) })
				if entries[name] == nil {
					refused = append(refused, name)
				}
			case '-':
				entries[name].Close()
			default:
				entries[name].SetBusy(step[0] == '!')
			}
		}
		if strings.Join(evicted, " ") != row.evicted || strings.Join(refused, " ") != row.refused {
			t.Errorf("%s: evicted %v, refused %v", row.name, evicted, refused)
		}
		for name, e := range entries {
			if e != nil && e.Close() == slices.Contains(evicted, name) && !strings.Contains(row.steps, "-"+name) {
				t.Errorf("%s: %s is not in the state that was reported", row.name, name)
			}
		}
	}
}
