package realtime

import (
	"time"

	"moothall/internal/domain"
)

// Refill implements socket.Handler: the queue is empty, so the client can read on.
func (c *client) Refill() {
	c.hub.guard(func() {
		for _, s := range c.subscriptions() {
			if s.topic.IsChat() {
				c.catchUp(s)
			} else {
				s.watch.sendState(s)
			}
		}
	})
}

// maxLag is how long a client may be behind because it reads too slowly.
const maxLag = 30 * time.Second

// catchUp sends the next page of the log to a subscription that is not live. At the end of the
// log the subscription becomes live.
func (c *client) catchUp(s *subscription) {
	tail, cursor, behind := s.watch.positionOf(s)
	if !behind {
		return
	}
	if c.hub.isTooSlow(s) {
		c.close(CloseTooSlow)
		return
	}
	p, err := s.watch.pageAfter(cursor)
	if err != nil {
		c.hub.failed("resume a chat", err)
		time.AfterFunc(sweepEvery, c.conn.Wake)
		return
	}
	for _, f := range p.entries {
		if !c.conn.Send(p.frameFor(c.viewer.UserID, f)) {
			return // the connection calls Refill
		}
		s.watch.advance(s, f.position)
	}
	if p.full || !s.watch.goLive(s, tail) {
		c.conn.Wake()
	}
}

func (h *Hub) isTooSlow(s *subscription) bool {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	return !s.lagged.IsZero() && h.Clock().Sub(s.lagged) > maxLag
}

// pageRead is a read of the log that subscriptions wait for.
type pageRead struct {
	done chan struct{} // closed at the end
	page page
	err  error
}

// pageAfter returns the page of the log after a position. Few reads run at once, so that the
// sockets that reconnect after a restart leave the database to requests. All callers that wait for
// the same page share one read. It begins after each of them has asked, so none misses a message
// or a block.
func (w *watch) pageAfter(after Position) (page, error) {
	w.mu.Lock()
	r, first := w.reads[after], false
	if r == nil {
		r, first = &pageRead{done: make(chan struct{}), err: domain.Internal}, true
		w.reads[after] = r
	}
	w.mu.Unlock()
	if first {
		w.runRead(after, r)
	}
	<-r.done
	return r.page, r.err
}

// runRead reads a page for all who wait. A panic leaves the error as it is.
func (w *watch) runRead(after Position, r *pageRead) {
	defer close(r.done)
	w.hub.resumes <- struct{}{}
	defer func() { <-w.hub.resumes }()
	w.mu.Lock()
	delete(w.reads, after)
	w.mu.Unlock()
	w.hub.guard(func() { r.page, r.err = w.readPage(after) })
}
