package admission

import (
	"container/list"
	"sync"
)

// OpenOptions configure a OpenLimit.
type OpenOptions struct {
	Max       int // entries of all clients
	PerClient int // entries of one client; 0: Max
	IdleAbove int // entries of all clients, above which the client with most of them loses idle ones; 0: Max
}

// OpenLimit limits what clients keep open. When too much is open, the client that has the most loses some of it.
type OpenLimit struct {
	o OpenOptions

	mu      sync.Mutex
	clients map[string]*client
	total   int
}

// NewOpenLimit returns a limit without entries.
func NewOpenLimit(o OpenOptions) *OpenLimit {
	if o.PerClient == 0 {
		o.PerClient = o.Max
	}
	if o.IdleAbove == 0 {
		o.IdleAbove = o.Max
	}
	return &OpenLimit{o: o, clients: map[string]*client{}}
}

// client is the entries of one client, the oldest first.
type client struct{ idle, busy list.List }

func (c *client) count() int { return c.idle.Len() + c.busy.Len() }

// OpenEntry is something that a client keeps open.
type OpenEntry struct {
	limit  *OpenLimit
	client string
	evict  func()
	in     *list.List    // nil: closed or evicted
	place  *list.Element // in the list
}

// Open adds an idle entry of a client. Beyond a limit, it evicts other entries, or returns nil. The limit calls evict once, with its lock
// held, if it evicts the entry.
func (l *OpenLimit) Open(name string, evict func()) *OpenEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.clients[name]; c != nil && c.count() >= l.o.PerClient && !l.evictIdle(c) {
		return nil
	}
	if l.total >= l.o.IdleAbove && !l.evictIdle(l.largest()) && l.total >= l.o.Max {
		l.evictOldest(&l.largest().busy)
	}
	c := l.clients[name]
	if c == nil {
		c = &client{}
		l.clients[name] = c
	}
	l.total++
	e := &OpenEntry{limit: l, client: name, evict: evict, in: &c.idle}
	e.place = e.in.PushBack(e)
	return e
}

// largest returns the client with the most entries.
func (l *OpenLimit) largest() (most *client) {
	for _, c := range l.clients {
		if most == nil || c.count() > most.count() {
			most = c
		}
	}
	return most
}

// evictIdle evicts the entry of a client that has been idle for longest. It returns false if none is idle.
func (l *OpenLimit) evictIdle(c *client) bool {
	if c.idle.Len() == 0 {
		return false
	}
	l.evictOldest(&c.idle)
	return true
}

func (l *OpenLimit) evictOldest(of *list.List) {
	e := of.Front().Value.(*OpenEntry)
	l.remove(e)
	e.evict()
}

func (l *OpenLimit) remove(e *OpenEntry) {
	e.in.Remove(e.place)
	e.in = nil
	l.total--
	if l.clients[e.client].count() == 0 {
		delete(l.clients, e.client)
	}
}

// SetBusy says whether the entry is in use. Idle entries are evicted first.
func (e *OpenEntry) SetBusy(busy bool) {
	e.limit.mu.Lock()
	defer e.limit.mu.Unlock()
	if e.in == nil {
		return
	}
	e.in.Remove(e.place)
	c := e.limit.clients[e.client]
	if e.in = &c.idle; busy {
		e.in = &c.busy
	}
	e.place = e.in.PushBack(e)
}

// Close removes the entry. It returns false if the entry was evicted or closed before.
func (e *OpenEntry) Close() bool {
	e.limit.mu.Lock()
	defer e.limit.mu.Unlock()
	if e.in == nil {
		return false
	}
	e.limit.remove(e)
	return true
}
