package admission

import (
	"container/heap"
	"maps"
	"math"
	"slices"
	"time"
)

// Caller identifies who sent a request.
type Caller struct {
	ID    uint64 // a user, or a connection of an anonymous client
	Group uint64 // the user again, or the network of the client
}

// queue orders waiting requests by what their callers have used lately, the own request
// included: who has used the least is next. A request counts the square of its cost, so that
// cheap requests go before expensive ones, and more for each other request of its group
// that waits, so that a network gains little by many connections. Of equal requests, the
// newest is next: its client is the most likely to be still there.
type queue struct {
	waiting []*waiter      // a heap
	added   uint64         // requests so far
	groups  map[uint64]int // by group: requests that wait
	sweepAt int            // size of used at which small entries are removed

	// used counts what callers use, by caller. Instead of letting the counts shrink with
	// time, the weight of what is added grows.
	used  map[uint64]float64
	since time.Time // when the weight was 1
	last  time.Time // when a request was added
}

const (
	memory    = 10 * time.Second // after which use counts 1/e
	longest   = 300              // times memory, until the weight is 1 again
	maxCrowd  = 16               // limits what a network of many users, such as that of a mobile provider, pays
	sweepSize = 2 * maxWaiting
)

func newQueue() queue {
	return queue{used: map[uint64]float64{}, groups: map[uint64]int{}, sweepAt: sweepSize}
}

// waiter is a waiting request.
type waiter struct {
	caller   Caller
	cost     float64       // seconds
	use      float64       // of the caller, with this request
	number   uint64        // in the order of arrival
	index    int           // in the heap
	called   chan struct{} // closed when it is called or refused
	ended    bool
	admitted bool
}

func (w *waiter) end(admitted bool) {
	w.ended, w.admitted = true, admitted
	close(w.called)
}

func (q *queue) add(w *waiter, now time.Time) {
	weight := q.weight(now)
	crowd := min(q.groups[w.caller.Group]+1, maxCrowd)
	w.use = q.used[w.caller.ID] + w.cost*w.cost*float64(crowd)*weight
	q.last = now
	q.added++
	w.number = q.added
	heap.Push(q, w)
}

// weight returns the weight of what is used now.
func (q *queue) weight(now time.Time) float64 {
	exponent := float64(now.Sub(q.since)) / float64(memory)
	if now.Sub(q.last) > memory || exponent > longest {
		for _, w := range q.waiting {
			w.use = 0
		}
		clear(q.used)
		q.since, exponent = now, 0
	}
	return math.Exp(exponent)
}

// next removes the next request, which will run.
func (q *queue) next() *waiter {
	w := heap.Pop(q).(*waiter)
	if q.used[w.caller.ID] = w.use; len(q.used) > q.sweepAt {
		maps.DeleteFunc(q.used, func(_ uint64, use float64) bool { return use < w.use/1000 })
		q.sweepAt = len(q.used) + sweepSize
	}
	return w
}

// removeLast removes the request that would be the last one to run.
func (q *queue) removeLast() *waiter {
	last := slices.MaxFunc(q.waiting, func(a, b *waiter) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	heap.Remove(q, last.index)
	return last
}

func (w *waiter) before(other *waiter) bool {
	if w.use != other.use {
		return w.use < other.use
	}
	return w.number > other.number
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (q *queue) Len() int           { return len(q.waiting) }
func (q *queue) Less(i, j int) bool { return q.waiting[i].before(q.waiting[j]) }
func (q *queue) Swap(i, j int) {
	q.waiting[i], q.waiting[j] = q.waiting[j], q.waiting[i]
	q.waiting[i].index, q.waiting[j].index = i, j
}

// Push adds a waiter at the end of the heap.
func (q *queue) Push(x any) {
	w := x.(*waiter)
	w.index = len(q.waiting)
	q.waiting = append(q.waiting, w)
	q.groups[w.caller.Group]++
}

// Pop removes the waiter at the end of the heap.
func (q *queue) Pop() any {
	last := len(q.waiting) - 1
	w := q.waiting[last]
	q.waiting[last] = nil
	q.waiting = q.waiting[:last]
	if q.groups[w.caller.Group]--; q.groups[w.caller.Group] == 0 {
		delete(q.groups, w.caller.Group)
	}
	return w
}
