package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// messagesPerPage is the number of messages that a visitor sees before "Older messages".
const messagesPerPage = 40

// chat shows the newest messages of an event, or those before a cursor. Visitors who may not read them
// see the event, which says how to join it.
func (s *Site) chat(ctx context.Context, v *visit) (templ.Component, error) {
	id := v.id("event_id")
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
	if err != nil {
		return nil, err
	}
	cursor := optional(v.page.URL.Query(), "cursor")
	list, err := s.api.ListChatMessages(ctx, gen.ListChatMessagesParams{EventID: id, Limit: gen.NewOptInt(messagesPerPage), Cursor: cursor})
	if isRefused(err, http.StatusForbidden) {
		return nil, redirect{view.PagePath(details.Response.Event.ShareURL)}
	}
	if err != nil {
		return nil, err
	}
	slices.Reverse(list.Items)
	d := view.ChatData{
		Details: &details.Response, Messages: list.Items, Past: cursor.Set, Older: v.more("cursor", list.NextCursor), NextID: uuid.New(),
	}
	if !d.Past && len(d.Messages) > 0 {
		s.markRead(ctx, v, d)
	}
	v.page.Title = v.page.T("chat.title", "Event", details.Response.Event.Title)
	return view.Chat(v.page, d), nil
}

// markRead marks the messages of a page as read, in the background: the page does not wait for the write. It may be refused, as it is
// to a visitor who follows a link of another site.
func (s *Site) markRead(ctx context.Context, v *visit, d view.ChatData) {
	ctx = v.background(ctx)
	go func() {
		_, _ = s.api.MarkChatRead(ctx, &gen.MarkChatReadRequest{Position: gen.ChatPosition(d.Last())},
			gen.MarkChatReadParams{EventID: d.Details.Event.ID})
	}()
}

// sendMessage sends a message. The id in the form makes it safe to send the form twice.
func (s *Site) sendMessage(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	event := formID(form, "event_id")
	request := gen.SendEventChatMessageRequest{Body: form.Get("body")}
	if id := formID(form, "client_message_id"); id != uuid.Nil {
		request.ClientMessageID = gen.NewOptUUID(id)
	}
	_, err := s.api.SendChatMessage(ctx, &request, gen.SendChatMessageParams{EventID: event})
	return outcome{to: view.EventURL(event, "chat")}, err
}
