package realtime

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/socket"
)

// waitlistEvery is the shortest time between two frames about the waiting list of an event.
const waitlistEvery = 5 * time.Second

// refresh reads the event and sends its changes to the subscriptions.
func (w *watch) refresh(ctx context.Context) {
	version := w.hub.DB.Version()
	now, err := event.ReadSnapshot(ctx, w.hub.DB, w.id)
	if errors.Is(err, domain.NotFound) {
		return // the subscriptions are revoked
	}
	if err != nil {
		w.hub.failed("read an event", err)
		w.retry()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if version < w.readAt {
		return // a later read has ended before
	}
	old := w.snapshot
	w.snapshot, w.readAt = &now, version
	if old == nil {
		return
	}
	if !now.Equals(*old) {
		w.sendChange(frameOf(Changed{OpChanged, EventTopic(w.id), now.ETag(), now.Since(*old), now.Participants}))
	}
	w.waitlistStale = w.waitlistStale || !now.SameWaitlist(*old)
	w.sendWaitlist()
}

// sendWaitlists sends the changes of waiting lists that had to wait.
func (h *Hub) sendWaitlists() {
	for _, w := range h.watches() {
		w.mu.Lock()
		w.sendWaitlist()
		w.mu.Unlock()
	}
}

// sendWaitlist sends a change of the waiting list, unless there was none since the last frame, or that is too recent. Needs the lock.
func (w *watch) sendWaitlist() {
	now := w.hub.Clock()
	if w.waitlistStale && now.Sub(w.waitlistSent) >= waitlistEvery {
		w.waitlistStale, w.waitlistSent = false, now
		w.sendChange(frameOf(WaitlistChanged{OpWaitlistChanged, EventTopic(w.id)}))
	}
}

// sendChange sends a frame to the live subscriptions to the event. Needs the lock.
func (w *watch) sendChange(frame socket.Frame) {
	for s := range w.event {
		if s.live {
			s.live = s.client.conn.Send(frame)
		}
	}
}

// isRead reports whether the state of the event is known.
func (w *watch) isRead() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.snapshot != nil
}

// retry makes the next check of versions refresh the event.
func (w *watch) retry() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked, w.hub.checked = 0, 0
}

// sendState sends the state of the event to a subscription that has missed changes, and makes it
// live.
func (w *watch) sendState(s *subscription) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !s.live && !s.ended && w.snapshot != nil {
		s.live = s.client.conn.Send(frameOf(Changed{OpChanged, EventTopic(w.id), w.snapshot.ETag(), []string{}, w.snapshot.Participants}))
	}
}
