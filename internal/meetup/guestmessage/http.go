package guestmessage

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the messages to guests.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"sendGuestMessage": httpapi.BodyCheck(func(_ context.Context, req *gen.SendGuestMessageRequest) error {
			_, err := cleanBody(req.Body)
			return err
		}),
		"listGuestMessages": httpapi.CursorCheck(beforeMessage),
	}
}

// ListGuestAudiences serves GET /events/{event_id}/guest-audiences.
func (h *Handler) ListGuestAudiences(ctx context.Context, params gen.ListGuestAudiencesParams) (*gen.GuestAudiencesResponse, error) {
	sizes, left, err := h.service.Sizes(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	response := &gen.GuestAudiencesResponse{Items: make([]gen.GuestAudienceSize, len(sizes)), NextCursor: gen.NullCursor(""), LeftToday: left}
	for i, s := range sizes {
		response.Items[i] = gen.GuestAudienceSize{Audience: gen.GuestAudience(s.Audience), Recipients: int(s.Recipients)}
	}
	return response, nil
}

// ListGuestMessages serves GET /events/{event_id}/guest-messages.
func (h *Handler) ListGuestMessages(ctx context.Context, params gen.ListGuestMessagesParams) (*gen.GuestMessagesResponse, error) {
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	response := &gen.GuestMessagesResponse{Items: make([]gen.GuestMessage, len(page.Items)), NextCursor: gen.NullCursor(page.Next),
		Later: gen.NullInt(page.Later)}
	for i, m := range page.Items {
		response.Items[i] = m.api()
	}
	return response, nil
}

// SendGuestMessage serves POST /events/{event_id}/guest-messages.
func (h *Handler) SendGuestMessage(ctx context.Context, req *gen.SendGuestMessageRequest,
	params gen.SendGuestMessageParams) (*gen.GuestMessage, error) {
	m, err := h.service.Send(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), access.Audience(req.Audience), req.Body)
	if err != nil {
		return nil, err
	}
	return new(m.api()), nil
}

// DeleteGuestMessage serves DELETE /events/{event_id}/guest-messages/{message_id}.
func (h *Handler) DeleteGuestMessage(ctx context.Context, params gen.DeleteGuestMessageParams) error {
	return h.service.Delete(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.GuestMessageID(params.MessageID))
}

func (m Message) api() gen.GuestMessage {
	return gen.GuestMessage{
		ID: uuid.UUID(m.ID), EventID: uuid.UUID(m.EventID), AuthorUserID: uuid.UUID(m.AuthorID), Author: user.NullAPI(m.Author),
		Audience: gen.GuestAudience(m.Audience), Body: m.Body, Recipients: gen.NullInt(m.Recipients), CreatedAt: m.CreatedAt,
	}
}
