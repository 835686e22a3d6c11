package notify

import (
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
)

// NewChatItem returns an item about unread messages of a chat, for delivery outside the app:
// the chat makes no notifications in the app. author and body are those of the newest
// message that the recipient sees.
func NewChatItem(l Language, id domain.EventID, event string, unread int, author *user.Public, body string, at time.Time) Item {
	href := "/events/" + id.String() + "/chat"
	if author != nil {
		body = l.Name(*author) + ": " + body
	}
	body = shorten(body, maxBody)
	return Item{
		ID: domain.NotificationID(id), Kind: ChatUnread, CreatedAt: at, Actor: author, EventID: &id, Href: &href, Body: &body,
		Title:   shorten(l.plural(string(ChatUnread), int64(unread), templateData{Event: event}), maxTitle),
		Subject: l.plural(string(ChatUnread), int64(unread), templateData{Event: l.quoted(event)}),
	}
}
