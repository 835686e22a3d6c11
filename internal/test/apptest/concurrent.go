package apptest

import (
	"fmt"
	"math/bits"
	"sync"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/testutil"
)

// Crowd is how many people act at once in a test of concurrency: more than all instances have
// connections to the database, and more than any limit that a test reaches. It is a multiple of 10.
var Crowd = testutil.Rounds(20, 50)

// Crowd signs in the actors guest0, guest1 and so on, spread over the instances.
func (a *App) Crowd() []*Client {
	a.t.Helper()
	clients := make([]*Client, Crowd)
	for i := range clients {
		clients[i] = a.As(fmt.Sprintf("guest%d", i)).On(i)
	}
	return clients
}

// Concurrently calls act n times at the same moment, with 0 to n-1, and waits
// for all of them.
func Concurrently(n int, act func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act(i)
		})
	}
	done.Wait()
}

// EachConcurrent runs a test of concurrent requests in parallel on SQLite with
// one instance and on PostgreSQL with several.
func EachConcurrent(t *testing.T, test func(t *testing.T, a *App), options ...Option) {
	t.Helper()
	for engine, instances := range map[db.Engine]int{db.SQLite: 1, db.PostgreSQL: testutil.Rounds(2, 3)} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			test(t, New(t, engine, append([]Option{Instances(instances)}, options...)...))
		})
	}
}

// Gets reports whether the engine of the service gets test case i. In the short form the
// engines share the cases: each gets half of any long run of them. In the long form each gets all.
func (a *App) Gets(i int) bool {
	engines := testutil.Rounds(2, 1)
	return bits.OnesCount(uint(i))%engines == int(a.Engine())%engines
}
