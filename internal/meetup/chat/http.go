package chat

import (
	"context"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on chats.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListChatMessages serves GET /events/{event_id}/messages.
func (h *Handler) ListChatMessages(ctx context.Context, params gen.ListChatMessagesParams) (*gen.EventChatMessagesResponse, error) {
	before, err := endOf(params)
	if err != nil {
		return nil, err
	}
	page, err := h.service.Messages(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), before, params.Limit.Or(50))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventChatMessage, len(page.Items))
	for i, m := range page.Items {
		items[i] = m.toAPI()
	}
	return &gen.EventChatMessagesResponse{Items: items, NextCursor: gen.NullTimeCursor(page.Next)}, nil
}

// endOf returns the earlier one of cursor and before, nil if both are absent.
func endOf(params gen.ListChatMessagesParams) (*time.Time, error) {
	before, err := httpapi.TimeParameter("before", params.Before)
	if err != nil {
		return nil, err
	}
	cursor, err := httpapi.TimeParameter("cursor", params.Cursor)
	if cursor == nil || before != nil && before.Before(*cursor) {
		return before, err
	}
	return cursor, nil
}

// SendChatMessage serves POST /events/{event_id}/messages.
func (h *Handler) SendChatMessage(ctx context.Context, req *gen.SendEventChatMessageRequest,
	params gen.SendChatMessageParams) (*gen.EventChatMessage, error) {
	var client *domain.MessageID
	if id, ok := req.ClientMessageID.Get(); ok {
		client = new(domain.MessageID(id))
	}
	m, err := h.service.Send(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), req.Body, client)
	if err != nil {
		return nil, err
	}
	return new(m.toAPI()), nil
}

// ListMyChats serves GET /me/chats.
func (h *Handler) ListMyChats(ctx context.Context, params gen.ListMyChatsParams) (*gen.ChatsResponse, error) {
	page, err := h.service.Chats(ctx, httpapi.Viewer(ctx), params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.ChatItem, len(page.Items))
	for i, c := range page.Items {
		items[i] = c.toAPI(h.service.Pages)
	}
	return &gen.ChatsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// MarkChatRead serves POST /events/{event_id}/messages/read.
func (h *Handler) MarkChatRead(ctx context.Context, req *gen.MarkChatReadRequest,
	params gen.MarkChatReadParams) (*gen.ChatReadState, error) {
	var upTo Position
	if err := upTo.UnmarshalText([]byte(req.Position)); err != nil {
		return nil, domain.Invalid("/position", "must be the position of a message")
	}
	state, err := h.service.MarkRead(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), upTo)
	if err != nil {
		return nil, err
	}
	return &gen.ChatReadState{EventID: params.EventID, ReadPosition: gen.ChatPosition(state.Read.String()), UnreadCount: state.Unread}, nil
}

func (c Chat) toAPI(pages address.Pages) gen.ChatItem {
	item := gen.ChatItem{
		Event: event.CardAPI(c.Event, pages).Event, UnreadCount: c.Unread,
		Position: gen.ChatPosition(c.Latest.String()), ReadPosition: gen.ChatPosition(c.Read.String()),
	}
	if c.Last == nil {
		item.LastMessage.SetToNull()
	} else {
		item.LastMessage.SetTo(c.Last.toAPI())
	}
	return item
}

func (m Message) toAPI() gen.EventChatMessage {
	return gen.EventChatMessage{
		ID: uuid.UUID(m.ID), EventID: uuid.UUID(m.EventID), AuthorUserID: uuid.UUID(m.AuthorID), Author: user.NullAPI(m.Author),
		Body: m.Body, ClientMessageID: gen.NullUUID(m.ClientID), CreatedAt: m.CreatedAt, DeletedAt: gen.NullDateTime(m.DeletedAt),
	}
}
