package bench

import (
	"slices"
	"sync"
	"sync/atomic"
)

// operation is one kind of request, measured by itself.
type operation struct {
	name    string
	does    string
	callers []int  // how many at a time, each number measured
	needs   string // the operation that must run before, or empty
	alone   bool   // each request waits for the jobs that the one before has left
	counter bool   // its floor is also a counter in a single row, on PostgreSQL
	most    int    // requests at a stretch, which are dear: never more callers than named; 0: any number

	// make gives the request number n of all, made by a caller; more is false
	// when there are no more.
	make   func(caller, n int) (r request, more bool)
	answer func(caller int, body []byte) error // may be nil
	made   atomic.Int64

	// cold gives the same requests so that none is answered from the cache of
	// pages; nil where make does.
	cold func(n int) request
}

func (o *operation) next(caller int) (request, bool) {
	return o.make(caller, int(o.made.Add(1)-1))
}

// uncached is next for those who want to see the statements.
func (o *operation) uncached(caller int) (request, bool) {
	if o.cold == nil {
		return o.next(caller)
	}
	return o.cold(int(o.made.Add(1) - 1)), true
}

var (
	one         = []int{1}
	some        = []int{16}
	oneAndSome  = []int{1, 16} // for the longest of a hundred without a queue
	someAndMany = []int{16, 64}
	fewAndMany  = []int{16, 256}
	manyAndMost = []int{64, 256}
	all         = []int{1, 16, 64, 256}
)

// requests makes the operations of one world.
type requests struct {
	facts
	tokens    []string // access tokens, one a person
	refreshes []string // refresh tokens of other sessions, one a caller

	mu     sync.Mutex
	drafts []draft

	popular []draft // of an organizer whom very many follow

	circle circle
}

func (q *requests) operations() []*operation {
	return slices.Concat(q.lists(), q.places(), q.words(), q.single(), q.circle.reads(), q.changes(), q.circle.changes())
}
