package realtime

import (
	"context"
	"errors"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
)

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
	if old == nil || now.Equals(*old) {
		return
	}
	frame := frameOf(Changed{OpChanged, EventTopic(w.id), now.ETag(), now.Since(*old), now.Participants})
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
