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

// queue orders waiting requests by what their callers have used lately: the seconds for which
// their requests waited, and runUse for each that ran. Who has used the least is next. So a
// caller who always has a request in the queue goes after one who pauses, however few requests
// can be served. A new caller begins with what its group has used: a new connection for each
// request is no advantage. Of equal requests, the newest is next: its client is the most likely
// to be still there.
type queue struct {
	waiting []*waiter      // a heap
	added   uint64         // requests so far
	groups  map[uint64]int // by group: requests that wait
	sweepAt int            // size of used at which small entries are removed

	// What callers and groups use. Instead of letting the counts shrink with time, the weight
	// of what is added grows.
	used, usedByGroup map[uint64]float64
	since             time.Time // when the weight was 1
	last              time.Time // when a request was added
}

const (
	memory  = 10 * time.Second // after which use counts 1/e
	longest = 300              // times memory, until the weight is 1 again
	runUse  = 0.1              // seconds: more than ten requests a second are heavier than one that always waits
	// by which runUse is multiplied if as many requests of the group wait: a network gains little by many connections
	maxCrowd  = 8
	sweepSize = 2 * maxWaiting

	// maxInherited limits the use with which a new caller begins, in seconds: twice that of a caller who always waits.
	maxInherited = 20
)

func newQueue() queue {
	return queue{used: map[uint64]float64{}, usedByGroup: map[uint64]float64{}, groups: map[uint64]int{}, sweepAt: sweepSize}
}

// waiter is a waiting request.
type waiter struct {
	caller   Caller
	since    time.Time     // when it began to wait
	crowd    float64       // requests of its group that waited, at most maxCrowd
	use      float64       // of the caller, if this request runs
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
	w.crowd = float64(min(q.groups[w.caller.Group]+1, maxCrowd))
	weight := q.weight(now)
	if _, known := q.used[w.caller.ID]; !known {
		q.used[w.caller.ID] = min(q.usedByGroup[w.caller.Group], maxInherited*weight)
	}
	w.use = q.used[w.caller.ID] + runUse*w.crowd*weight
	w.since, q.last = now, now
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
		clear(q.usedByGroup)
		q.since, exponent = now, 0
	}
	return math.Exp(exponent)
}

// next removes the next request, which will run.
func (q *queue) next(now time.Time) *waiter {
	w := q.waiting[0]
	q.remove(w, now)
	q.count(w.caller, runUse*w.crowd*q.weight(now))
	return w
}

// count adds to the use of a caller and its group.
func (q *queue) count(c Caller, use float64) {
	q.used[c.ID] += use
	q.usedByGroup[c.Group] += use
}

// remove removes a request, and counts its wait.
func (q *queue) remove(w *waiter, now time.Time) {
	heap.Remove(q, w.index)
	weight := q.weight(now)
	q.count(w.caller, now.Sub(w.since).Seconds()*weight)
	if len(q.used) > q.sweepAt {
		forgotten := func(_ uint64, use float64) bool { return use < weight/1000 }
		maps.DeleteFunc(q.used, forgotten)
		maps.DeleteFunc(q.usedByGroup, forgotten)
		q.sweepAt = len(q.used) + sweepSize
	}
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
