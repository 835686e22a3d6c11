package realtime

import (
	"context"
	"slices"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// A socket is not a request: what the viewer may see can change while it is open. The hub
// compares the versions of what rights depend on, some times a second, and asks the database
// again if they have changed. It asks for everything again once in a while, too.

// rightsBatch is the number of sockets that are asked for in one statement.
const rightsBatch = 500

func newPerson(id domain.UserID, checked db.Version) *person {
	return &person{rights: db.DependOn(access.Rights.Of(id)), checked: checked}
}

// checkSince makes the next check notice rights that a user has lost since a version. Needs the
// lock.
func (h *Hub) checkSince(user domain.UserID, version db.Version) {
	h.checked = min(h.checked, version)
	if p := h.people[user]; p != nil {
		p.checked = min(p.checked, version)
	}
}

// kinds are what rights and changes depend on.
var kinds = db.DependOn(access.Rights.All(), event.Content.All(), event.Attendance.All())

// checkVersions checks the sockets whose rights may have changed.
func (h *Hub) checkVersions(ctx context.Context) {
	clients, changed, counted := h.affected()
	var subscriptions []*subscription
	for _, w := range changed {
		subscriptions = append(subscriptions, w.subscriptions()...)
	}
	h.checkSessions(ctx, clients)
	for _, c := range clients {
		subscriptions = append(subscriptions, c.subscriptions()...)
	}
	h.checkRights(ctx, subscriptions)
	for _, w := range append(changed, counted...) {
		w.refresh(ctx)
	}
}

// affected returns the sockets of users who may have lost rights, the events that have
// changed, and those of which only the guests have. Nothing is reported twice.
func (h *Hub) affected() (clients []*client, changed, counted []*watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.DB.Version()
	if h.DB.Unchanged(h.checked, kinds) {
		return nil, nil, nil
	}
	h.checked = now
	for _, p := range h.people {
		if !h.DB.Unchanged(p.checked, p.rights) {
			p.checked = now
			clients = append(clients, p.clients...)
		}
	}
	for _, w := range h.events {
		switch content, guests := w.changes(now); {
		case content:
			changed = append(changed, w)
		case guests:
			counted = append(counted, w)
		}
	}
	return clients, changed, counted
}

// changes reports whether the event has changed since the last call, and whether its guests have
// while somebody is subscribed to it.
func (w *watch) changes(now db.Version) (content, guests bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if content = !w.hub.DB.Unchanged(w.checked, w.content); content {
		w.checked = now
	}
	if guests = len(w.event) > 0 && !w.hub.DB.Unchanged(w.counted, w.guests); guests {
		w.counted = now
	}
	return content, guests
}

func (w *watch) subscriptions() []*subscription {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]*subscription, 0, len(w.chat)+len(w.event))
	for s := range w.chat {
		all = append(all, s)
	}
	for s := range w.event {
		all = append(all, s)
	}
	return all
}

// sweepSessions closes the sockets of sessions that have expired, and checks new sockets: their
// session may have ended while they were opened.
func (h *Hub) sweepSessions(ctx context.Context) {
	h.untilAllSessions -= sweepEvery
	all := h.untilAllSessions <= 0
	if all {
		h.untilAllSessions = sessionsEvery
	}
	now := h.Clock()
	var due []*client
	h.mu.Lock()
	for c := range h.clients {
		if all || !now.Before(c.expiresAt) {
			due = append(due, c)
		}
	}
	h.mu.Unlock()
	h.checkSessions(ctx, due)
}

// checkSessions closes those sockets whose session is not active.
func (h *Hub) checkSessions(ctx context.Context, clients []*client) {
	for batch := range slices.Chunk(clients, rightsBatch) {
		ids := make([]domain.SessionID, len(batch))
		for i, c := range batch {
			ids[i] = c.viewer.SessionID
		}
		active, err := h.Sessions.Active(ctx, ids)
		if err != nil {
			h.failed("check sessions", err)
			h.untilAllSessions = 0
			return
		}
		for _, c := range batch {
			expiresAt, ok := active[c.viewer.SessionID]
			if c.expiresAt = expiresAt; !ok {
				c.close(CloseSessionEnded)
			}
		}
	}
}

// sweepRights checks all subscriptions.
func (h *Hub) sweepRights(ctx context.Context) {
	if h.untilAllRights -= sweepEvery; h.untilAllRights > 0 {
		return
	}
	h.untilAllRights = rightsEvery
	var all []*subscription
	for _, w := range h.watches() {
		all = append(all, w.subscriptions()...)
	}
	h.checkRights(ctx, all)
}

// checkRights revokes those subscriptions whose viewers may no longer see the topic.
func (h *Hub) checkRights(ctx context.Context, all []*subscription) {
	of := map[*watch][]*subscription{}
	for _, s := range all {
		of[s.watch] = append(of[s.watch], s)
	}
	for w, list := range of {
		for batch := range slices.Chunk(list, rightsBatch) {
			viewers := make([]domain.UserID, len(batch))
			for i, s := range batch {
				viewers[i] = s.client.viewer.UserID
			}
			facts, err := access.Watchers(ctx, h.DB, w.id, viewers, h.Clock())
			if err != nil {
				h.failed("check rights", err)
				h.untilAllRights = 0
				return
			}
			for _, s := range batch {
				f, known := facts[s.client.viewer.UserID]
				if reason, lost := lostRight(s.topic, f, known); lost {
					s.client.revoke(s, reason)
				}
			}
		}
	}
}

// lostRight reports whether a viewer may no longer watch a topic, and why. known is false if
// the event is gone.
func lostRight(t Topic, f access.EventFacts, known bool) (reason Reason, lost bool) {
	switch {
	case known && f.Sees() && (f.MayChat() || !t.IsChat()):
		return "", false
	case !known:
		return Hidden, true
	case f.Blocked:
		return Blocked, true
	case f.Sees():
		return Left, true
	case f.Status == access.Canceled:
		return Canceled, true
	case f.Shown && t.IsChat():
		return Left, true
	}
	return Hidden, true
}
