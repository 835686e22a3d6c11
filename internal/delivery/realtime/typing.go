package realtime

import (
	"context"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const (
	typingSeconds = 4               // how long a client shows that somebody is typing
	typingEvery   = 3 * time.Second // how often it is passed on
	typingTopic   = "typing:"       // the name continues with the event, ":" and the user
)

// typing shows the others in a chat that the viewer is typing. The socket must be subscribed to
// the chat, or it returns domain.NotFound.
func (c *client) typing(ctx context.Context, topic Topic) error {
	if !topic.IsChat() || !slices.ContainsFunc(c.subscriptions(), func(s *subscription) bool { return s.topic == topic }) {
		return domain.NotFound
	}
	now := c.hub.Clock()
	if now.Sub(c.typedAt) < typingEvery {
		return nil
	}
	c.typedAt = now
	id, _ := topic.EventID()
	hidden, err := c.hub.incognito(ctx, id, []domain.UserID{c.viewer.UserID})
	if err != nil || len(hidden) > 0 {
		return err
	}
	c.hub.DB.Publish(db.Topic{Name: typingTopic + id.String() + ":" + c.viewer.UserID.String(), Shared: true})
	return nil
}

// onTyping handles a topic of typing.
func (h *Hub) onTyping(text string) {
	event, author, _ := strings.Cut(text, ":")
	id, badEvent := domain.ParseID[domain.EventKind](event)
	user, badUser := domain.ParseID[domain.UserKind](author)
	w := h.watched(id)
	if badEvent != nil || badUser != nil || w == nil {
		return
	}
	go h.guard(func() {
		ctx, cancel := queryContext()
		defer cancel()
		blocks, err := access.Blocks(ctx, h.DB, []domain.UserID{user})
		if err != nil {
			h.failed("pass on typing", err)
			return
		}
		w.sendTyping(user, blocks)
	})
}

// sendTyping sends a typing frame to the live subscriptions of the chat, except to users from whom
// a block hides the author.
func (w *watch) sendTyping(author domain.UserID, blocks map[access.Pair]bool) {
	frame := frameOf(Typing{OpTyping, ChatTopic(w.id), author, typingSeconds})
	w.mu.Lock()
	defer w.mu.Unlock()
	for s := range w.chat {
		if viewer := s.client.viewer.UserID; s.live && viewer != author && !blocks[access.Pair{A: author, B: viewer}] {
			s.client.conn.Send(frame)
		}
	}
}
