package realtime

import (
	"sync"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// watch is an event that sockets of this instance watch. For its chat it is the tail of the
// log: one reader, whatever the number of sockets.
type watch struct {
	hub     *Hub
	id      domain.EventID
	content db.Dependencies // of rights, and of what the subscriptions are told
	guests  db.Dependencies // only of what they are told

	mu      sync.Mutex
	chat    map[*subscription]struct{} // to the chat
	event   map[*subscription]struct{} // to the event
	checked db.Version                 // the event has not changed up to this version
	counted db.Version                 // nor have its guests up to this one

	snapshot *event.Snapshot // of the event; nil: not read yet
	readAt   db.Version      // the snapshot has all changes up to this version
	presence presence

	waitlistStale bool      // the waiting list has changed since the last frame about it
	waitlistSent  time.Time // of this frame

	at      Position // of the newest message that was sent to the live subscriptions
	begun   bool     // at is known; false without subscriptions to the chat
	swept   Position // the newest one that a sweep has asked for
	reading bool
	again   bool // there may be messages after those that are being read
	failed  bool // the last read has failed; the next sweep tries again

	reads map[Position]*pageRead // that wait for their turn; see pageAfter
}

// subscription is one topic of a socket.
type subscription struct {
	client *client
	topic  Topic
	watch  *watch

	// A live subscription gets new messages as the tail reads them. Any other one reads the
	// log itself, from its cursor; see client.catchUp. A live subscription to an event gets
	// changes as they are found. The lock of the watch guards these fields.
	live   bool
	cursor Position  // of the newest message that was queued for the client
	lagged time.Time // since when the client is too slow; zero after a subscribe
	ended  bool

	presence []byte // the text of its last frame; nil: none
}

// watchOf returns the watch of an event, and creates it.
func (h *Hub) watchOf(id domain.EventID, checked db.Version) *watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.events[id]
	if w == nil {
		w = &watch{
			hub: h, id: id, content: db.DependOn(event.Content.Of(id)), guests: db.DependOn(event.Attendance.Of(id)), checked: checked,
			counted: checked,
			chat:    map[*subscription]struct{}{}, event: map[*subscription]struct{}{}, presence: presence{others: map[string]*report{}},
			reads: map[Position]*pageRead{},
		}
		h.events[id] = w
	}
	return w
}

// join adds a subscription whose rights were checked at a version. It does nothing if the
// watch has ended meanwhile; then it returns false.
func (w *watch) join(s *subscription, checked db.Version) bool {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if w.hub.events[w.id] != w {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked = min(w.checked, checked)
	w.hub.checkSince(s.client.viewer.UserID, checked)
	if s.topic.IsChat() {
		w.chat[s] = struct{}{}
	} else {
		w.event[s] = struct{}{}
		w.presence.stale = true
	}
	return true
}

// leave removes a subscription, and the watch after the last one.
func (w *watch) leave(s *subscription) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	s.ended = true
	if !s.topic.IsChat() {
		w.presence.stale = true
	}
	delete(w.chat, s)
	delete(w.event, s)
	w.begun = w.begun && len(w.chat) > 0
	if len(w.chat)+len(w.event) == 0 && w.hub.events[w.id] == w {
		delete(w.hub.events, w.id)
	}
}

// positionOf returns the position of the tail, and the cursor of a subscription; behind is
// false if it is live or has ended.
func (w *watch) positionOf(s *subscription) (tail, cursor Position, behind bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at, s.cursor, !s.live && !s.ended
}

// advance moves the cursor of a subscription that is not live.
func (w *watch) advance(s *subscription, to Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.cursor = to
}

// goLive lets a subscription that has found no more messages get new ones from the tail,
// which was at a position before it looked. Returns false if the tail has sent more since:
// then the subscription must read on.
func (w *watch) goLive(s *subscription, tail Position) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.ended || w.at > s.cursor && w.at != tail {
		return s.ended
	}
	cursor := max(s.cursor, w.at)
	if s.client.conn.Send(frameAt(CaughtUp{OpCaughtUp, s.topic, cursor}, cursor)) {
		s.cursor, s.live, s.lagged = cursor, true, time.Time{}
		w.startReading()
	}
	return true // if the queue is full, the connection calls Refill
}

// begin makes the tail start after the newest message, if it has not begun yet.
func (w *watch) begin(latest Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.begun {
		w.at, w.begun = latest, true
	}
}

// wake reads the log, because there may be new messages.
func (w *watch) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.startReading()
}

// wakeFor is wake, unless the message at a position is known, or was looked for before.
func (w *watch) wakeFor(latest Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if latest > max(w.at, w.swept) {
		w.swept = latest
		w.startReading()
	}
}

// readAgain reads the log again, if that failed.
func (w *watch) readAgain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed {
		w.failed = false
		w.startReading()
	}
}

// startReading needs the lock.
func (w *watch) startReading() {
	switch {
	case !w.begun || len(w.chat) == 0:
	case w.reading:
		w.again = true
	default:
		w.reading = true
		go w.hub.guard(w.read)
	}
}

// read sends new messages to the live subscriptions until there are no more.
func (w *watch) read() {
	for w.readNext() {
	}
}

// readNext sends one page. more reports whether it must be called again: otherwise the next
// wake starts a new reader; after an error or a panic the next sweep does.
func (w *watch) readNext() (more bool) {
	full, failed := false, true
	w.hub.tails <- struct{}{}
	defer func() {
		<-w.hub.tails
		w.mu.Lock()
		defer w.mu.Unlock()
		more = !failed && (full || w.again) && len(w.chat) > 0
		w.again, w.reading = false, more
		w.failed = failed
	}()
	full, err := w.sendPage()
	w.hub.failed("read a chat", err)
	failed = err != nil
	return more
}

// sendPage sends one page. full reports whether there may be another one.
func (w *watch) sendPage() (full bool, err error) {
	w.mu.Lock()
	after := w.at
	w.mu.Unlock()
	p, err := w.readPage(after)
	w.hub.metrics.messages.Add(float64(len(p.entries)))
	for _, f := range p.entries {
		w.send(p, f)
	}
	return p.full, err
}

// send sends a message to the live subscriptions. Those whose queue is full read the log
// themselves from then on.
func (w *watch) send(p page, f *entryFrames) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = f.position
	sent := 0
	for s := range w.chat {
		if !s.live || f.position <= s.cursor {
			continue
		}
		if s.client.conn.Send(p.frameFor(s.client.viewer.UserID, f)) {
			s.cursor = f.position
			sent++
		} else {
			s.live, s.lagged = false, w.hub.Clock()
			w.hub.metrics.lagged.Inc()
		}
	}
	w.hub.metrics.deliveries.Add(float64(sent))
}
