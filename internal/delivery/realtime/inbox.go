package realtime

import (
	"context"
	"maps"
	"slices"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
)

// Unread counts and notifications are level-triggered. A topic or a sweep says whose may have
// changed; the hub reads them again, at most some times a second.

const (
	inboxesPerRun = 100 // users whose counts are read in one run of the loop
	newestUnread  = 20  // notifications that are looked at for new ones
)

// subscribeMe sends counts and notifications to the socket from now on.
func (c *client) subscribeMe(id int64) {
	c.deliver(Subscribed{Op: OpSubscribed, ID: id, Topic: Me})
	c.mu.Lock()
	c.me, c.known = true, false
	c.mu.Unlock()
	c.hub.inboxChanged(c.viewer.UserID)
}

// unsubscribeMe ends it.
func (c *client) unsubscribeMe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.me = false
}

func (c *client) watchesInbox() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.me
}

// inboxChanged notes that the counts of users may have changed.
func (h *Hub) inboxChanged(users ...domain.UserID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, user := range users {
		if h.people[user] != nil {
			h.inboxes[user] = true
		}
	}
}

// onInboxTopic handles a topic about counts and notifications.
func (h *Hub) onInboxTopic(topic string) {
	if user, ok := chat.ReaderOf(topic); ok {
		h.inboxChanged(user)
		return
	}
	recipients, ok := notify.ParseTopic(topic)
	switch {
	case !ok:
	case recipients.Audience == "":
		h.inboxChanged(recipients.User)
	default:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.audiences[recipients] = true
	}
}

// resolveAudiences finds the members of announced audiences who have sockets here.
func (h *Hub) resolveAudiences(ctx context.Context) {
	h.mu.Lock()
	audiences := h.audiences
	if len(audiences) > 0 {
		h.audiences = map[notify.Recipients]bool{}
	}
	h.mu.Unlock()
	if len(audiences) == 0 {
		return
	}
	users := h.users()
	for s := range audiences {
		for batch := range slices.Chunk(users, rightsBatch) {
			members, err := s.Members(ctx, h.DB, batch)
			if err != nil {
				h.failed("find the audience of a notification", err)
				h.inboxChanged(users...) // some of them are in the audiences
				return
			}
			h.inboxChanged(members...)
		}
	}
}

// countChats notes the members of chats with new messages.
func (h *Hub) countChats(ctx context.Context, busy map[domain.EventID]Position) {
	var ids []domain.EventID
	for id, latest := range busy {
		if latest > h.counted[id] {
			ids = append(ids, id)
		}
	}
	h.counted = busy // others have not been written to for some time
	if len(ids) == 0 {
		return
	}
	members, err := chat.Members(ctx, h.DB, ids)
	if err != nil {
		h.counted = nil // again in a second
		h.failed("find the members of a chat", err)
	}
	h.inboxChanged(members...)
}

// sendInboxes sends what has changed.
func (h *Hub) sendInboxes(ctx context.Context) {
	taken := h.takeInboxes()
	for user, clients := range taken {
		if err := h.sendInbox(ctx, user, clients); err != nil {
			h.failed("read counts", err)
			h.inboxChanged(slices.Collect(maps.Keys(taken))...) // again in a second
			return
		}
		delete(taken, user)
	}
}

// takeInboxes returns some users whose counts may have changed, with their sockets.
func (h *Hub) takeInboxes() map[domain.UserID][]*client {
	h.mu.Lock()
	defer h.mu.Unlock()
	taken := map[domain.UserID][]*client{}
	for user := range h.inboxes {
		if len(taken) == inboxesPerRun {
			break
		}
		delete(h.inboxes, user)
		if p := h.people[user]; p != nil {
			taken[user] = slices.Clone(p.clients)
		}
	}
	return taken
}

func (h *Hub) sendInbox(ctx context.Context, user domain.UserID, clients []*client) error {
	clients = slices.DeleteFunc(clients, func(c *client) bool { return !c.watchesInbox() })
	if len(clients) == 0 {
		return nil
	}
	unread, err := chat.Unread(ctx, h.DB, user)
	if err != nil {
		return err
	}
	for _, c := range clients {
		page, err := h.Notifications.List(ctx, c.viewer, notify.Query{UnreadOnly: true, Limit: newestUnread}, notify.BestLanguage(c.languages))
		if err != nil {
			return err
		}
		for _, n := range c.newOnes(page.Items) {
			c.deliver(Notification{OpNotification, n.JSON()})
		}
		if !c.conn.Send(frameOf(Counts{OpCounts, min(page.Unread, chat.MaxUnread), unread})) {
			h.inboxChanged(user)
		}
	}
	return nil
}

// newOnes returns the notifications that the socket does not know, oldest first. It knows all
// that were there when it subscribed.
func (c *client) newOnes(newest []notify.Item) (unknown []notify.Item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range slices.Backward(newest) {
		if c.known && n.CreatedAt.After(c.newest) {
			unknown = append(unknown, n)
		}
	}
	c.known = true
	if len(newest) > 0 && newest[0].CreatedAt.After(c.newest) {
		c.newest = newest[0].CreatedAt
	}
	return unknown
}
