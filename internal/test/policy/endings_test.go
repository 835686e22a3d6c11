package policy

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestEndingsHoldAgainstConcurrentWrites tests every rule of docs/concurrency.md: one
// user ends something while another request writes it. Whichever commits last, nothing
// is left that the rule ends, and no write succeeds that began after the end.
//
// The requests of a round overlap in one of three ways: the write stops between its checks
// and its first change until the ending request has answered; the ending request stops at
// its last change until the write has answered; both run freely. The short form has only
// the first two: a single round of the third one proves little.
func TestEndingsHoldAgainstConcurrentWrites(t *testing.T) {
	gates := &gates{}
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		a.As("moderator")
		for _, r := range endings {
			before := a.Count(r.stmt())
			rounds := testutil.Rounds(2, 100)
			late := 0
			for first := 0; first < rounds; first += trialsAtOnce {
				trials := make([]*trial, min(trialsAtOnce, rounds-first))
				apptest.Concurrently(len(trials), func(i int) { trials[i] = newTrial(t, a, gates, r, first+i) })
				if slices.Contains(trials, nil) {
					return
				}
				apptest.Concurrently(len(trials), func(i int) { trials[i].race(first + i) })
				for _, p := range trials {
					if p.late {
						late++
					}
				}
			}
			if left := a.Count(r.stmt()) - before; left > 0 || late > 0 {
				t.Errorf("%s beside %s: in %d rounds, %d rows are left, and %d writes succeeded after the end", r.end.name, r.write.name, rounds, left,
					late)
			}
		}
	}, apptest.StartAt(apptest.Today), apptest.OnStatement(gates.pass), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("moderator")))
}

var documentedRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$`)

// TestEndingsAreDocumented compares the table with docs/concurrency.md.
func TestEndingsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/concurrency.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string][]string{}
	for _, row := range documentedRow.FindAllStringSubmatch(string(text), -1) {
		if row[1] != "Request" && row[1] != "---" {
			documented[row[1]] = strings.Split(row[2], ", ")
		}
	}
	tested := map[string][]string{}
	for _, r := range endings {
		tested[r.end.name] = append(tested[r.end.name], r.write.name)
	}
	for _, rules := range []map[string][]string{documented, tested} {
		for _, writes := range rules {
			slices.Sort(writes)
		}
	}
	if !reflect.DeepEqual(documented, tested) {
		t.Errorf("documented: %v\ntested: %v", documented, tested)
	}
}

// trialsAtOnce is how many trials race at the same time.
const trialsAtOnce = 12

// trial is two users of one round. Ann ends something that bob writes, or both are requests
// of ann.
type trial struct {
	t                  *testing.T
	a                  *apptest.App
	gates              *gates
	rule               ending
	round              int
	ann, bob           *apptest.Client
	annEmail, bobEmail string
	ids                map[string]string // of what the round needs, by kind
	late               bool              // the write succeeded after the end
}

func newTrial(t *testing.T, a *apptest.App, g *gates, r ending, round int) *trial {
	t.Helper()
	p := &trial{t: t, a: a, gates: g, rule: r, round: round, ids: map[string]string{}}
	p.ann, p.bob = a.As(p.name("ann")).On(round), a.As(p.name("bob")).On(round+1)
	p.annEmail, p.bobEmail = apptest.Email(p.name("ann")), apptest.Email(p.name("bob"))
	if r.end.given != nil {
		r.end.given(p)
	}
	if r.write.given != nil {
		r.write.given(p)
	}
	return p
}

// name returns the name of an actor of this round.
func (p *trial) name(who string) string {
	return fmt.Sprintf("%s.%s.%s.%d", who, p.rule.end.short(), p.rule.write.short(), p.round)
}

// race sends both requests.
func (p *trial) race(round int) {
	var end, write *apptest.Reply
	ended := make(chan struct{})
	sendEnd := func() { end = p.rule.end.send(p); close(ended) }
	wrote := make(chan struct{})
	sendWrite := func() { write = p.rule.write.send(p); close(wrote) }

	var both sync.WaitGroup
	switch round % 3 {
	case 0:
		stop := p.gates.close(p.rule.write.by(p), p.rule.write.stops, ended)
		both.Go(sendWrite)
		stop.await(wrote)
		both.Go(sendEnd)
		both.Wait()
		p.late = p.rule.late && stop.opened && write.Status < 300
	case 1:
		stop := p.gates.close(p.rule.end.by(p), p.rule.end.stops, wrote)
		both.Go(sendEnd)
		stop.await(ended)
		both.Go(sendWrite)
		both.Wait()
	default:
		both.Go(sendEnd)
		both.Go(sendWrite)
		both.Wait()
	}
	if end.Status >= 300 {
		p.t.Errorf("%s beside %s: %d %s", p.rule.end.name, p.rule.write.name, end.Status, end.Body)
	}
}

// gates stop requests at a statement.
type gates struct{ closed sync.Map }

type gateKey struct {
	user      domain.UserID
	statement string
}

type gate struct {
	reached chan struct{}
	open    <-chan struct{}
	opened  bool // before the request gave up
}

// longestStop is how long a gate stops a request. The other request may wait for it.
const longestStop = 20 * time.Millisecond

// close stops the next request of a user at a statement until open is closed, at most for
// longestStop.
func (g *gates) close(user domain.UserID, statement string, open <-chan struct{}) *gate {
	closed := &gate{reached: make(chan struct{}), open: open}
	g.closed.Store(gateKey{user, statement}, closed)
	return closed
}

// await waits until a request has reached the gate, or was answered without.
func (g *gate) await(answered <-chan struct{}) {
	select {
	case <-g.reached:
	case <-answered:
	}
}

// pass is called before each statement.
func (g *gates) pass(ctx context.Context, s *db.Stmt) {
	value, ok := g.closed.LoadAndDelete(gateKey{httpapi.Viewer(ctx).UserID, s.Name()})
	if !ok {
		return
	}
	closed := value.(*gate)
	close(closed.reached)
	select {
	case <-closed.open:
		closed.opened = true
	case <-time.After(longestStop):
	}
}
