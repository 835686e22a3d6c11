package realtime

import (
	"context"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The limits of sockets on one instance; Options.MaxSockets is another one.
const (
	maxPerUser = 10  // then the oldest is replaced
	maxTopics  = 100 // of one socket, besides Me
)

// person is the sockets of one user.
type person struct {
	clients []*client // the oldest first
	rights  db.Dependencies
	checked db.Version // no right has been lost up to this version
}

// admit returns domain.ServiceUnavailable unless there may be one more socket. All sockets belong to users, so none
// counts for its address.
func (h *Hub) admit() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isFull() {
		return domain.ServiceUnavailable
	}
	return nil
}

// isFull needs the lock.
func (h *Hub) isFull() bool { return h.stopping || len(h.clients) >= h.MaxSockets }

// add registers a socket whose rights were checked at a version. It closes the socket if others
// have been registered since admit, and the limits are reached.
func (h *Hub) add(c *client, checked db.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isFull() {
		c.close(CloseGoingAway)
		return
	}
	h.clients[c] = struct{}{}
	h.metrics.sockets.WithLabelValues(c.transport).Inc()
	p := h.people[c.viewer.UserID]
	if p == nil {
		p = newPerson(c.viewer.UserID, checked)
		h.people[c.viewer.UserID] = p
	}
	p.clients = append(p.clients, c)
	h.checkSince(c.viewer.UserID, checked)
	for _, oldest := range p.clients[:max(0, len(p.clients)-maxPerUser)] {
		oldest.close(CloseReplaced)
	}
}

// remove forgets a socket, once.
func (h *Hub) remove(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.clients[c]; !known {
		return
	}
	delete(h.clients, c)
	h.metrics.sockets.WithLabelValues(c.transport).Dec()
	p := h.people[c.viewer.UserID]
	if p.clients = slices.DeleteFunc(p.clients, func(o *client) bool { return o == c }); len(p.clients) == 0 {
		delete(h.people, c.viewer.UserID)
	}
}

// runPings pings sockets until ctx ends. It needs no database, so clients get pings also while the database does not respond.
func (h *Hub) runPings(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			h.ping()
		}
	}
}

// ping pings the sockets that are due.
func (h *Hub) ping() {
	h.mu.Lock()
	var due []*client
	for c := range h.clients {
		if c.pingIn -= sweepEvery; c.pingIn <= 0 {
			c.pingIn = h.nextPing()
			due = append(due, c)
		}
	}
	h.mu.Unlock()
	for _, c := range due {
		if c.inPage {
			c.conn.Ping(pingFrame)
		} else {
			c.conn.Ping()
		}
	}
}

// nextPing differs between sockets, so that they do not all answer at once.
func (h *Hub) nextPing() time.Duration { return h.PingEvery - mathrand.N(h.PingEvery/3) }

// closeWait is how long Stop waits for clients that have not answered the close.
const closeWait = time.Second

// Stop refuses new sockets and closes all others, spread over a time, so that their clients
// do not all connect to another instance at once. It returns when they have ended, at most
// closeWait after that time.
func (h *Hub) Stop(over time.Duration) {
	h.mu.Lock()
	h.stopping = true
	all := slices.Collect(maps.Keys(h.clients))
	h.mu.Unlock()
	if len(all) == 0 {
		time.Sleep(over)
		return
	}
	for _, c := range all {
		c.close(CloseGoingAway)
		time.Sleep(over / time.Duration(len(all)))
	}
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < closeWait && !h.isEmpty(); waited += step {
		time.Sleep(step)
	}
}
