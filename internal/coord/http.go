package coord

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
	"moothall/internal/user"
)

// Handler answers the operations of this room.
type Handler struct{ service *Service }

// NewHandler answers by the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// SetEventDateMode answers PATCH /events/{event_id}/date-mode.
func (h *Handler) SetEventDateMode(ctx context.Context, req *gen.SetEventDateModeRequest, params gen.SetEventDateModeParams) error {
	return h.service.SetDateMode(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), string(req.Mode))
}

// ListDateOptions answers GET /events/{event_id}/date-options.
func (h *Handler) ListDateOptions(ctx context.Context, params gen.ListDateOptionsParams) (*gen.EventDateOptionsResponse, error) {
	found, err := h.service.DateOptions(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventDateOption, len(found.Items))
	for i, o := range found.Items {
		items[i] = *o.toAPI()
	}
	return &gen.EventDateOptionsResponse{
		Items: items, NextCursor: gen.NullString(nil),
		DateMode: gen.EventDateMode(found.DateMode), SelectedOptionID: gen.NullUUID(found.Selected),
	}, nil
}

// CreateDateOption answers POST /events/{event_id}/date-options.
func (h *Handler) CreateDateOption(ctx context.Context, req *gen.CreateEventDateOptionRequest, params gen.CreateDateOptionParams) (*gen.EventDateOption, error) {
	in := DateInput{StartsAt: req.StartsAt}
	if end, ok := req.EndsAt.Get(); ok {
		in.EndsAt = &end
	}
	if note, ok := req.Note.Get(); ok {
		in.Note = &note
	}
	return optionAnswer(h.service.AddDateOption(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), in))
}

// SelectDateOption answers POST /events/{event_id}/date-options/{option_id}/select.
func (h *Handler) SelectDateOption(ctx context.Context, params gen.SelectDateOptionParams) (*gen.EventDateOption, error) {
	return optionAnswer(h.service.Select(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.DateOptionID(params.OptionID)))
}

func optionAnswer(o DateOption, err error) (*gen.EventDateOption, error) {
	if err != nil {
		return nil, err
	}
	return o.toAPI(), nil
}

// VoteForDateOption answers POST /events/{event_id}/date-options/{option_id}/votes.
func (h *Handler) VoteForDateOption(ctx context.Context, params gen.VoteForDateOptionParams) (*gen.EventDateVote, error) {
	v, err := h.service.Vote(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.DateOptionID(params.OptionID))
	if err != nil {
		return nil, err
	}
	return &gen.EventDateVote{
		ID: uuid.UUID(v.ID), EventID: uuid.UUID(v.EventID), OptionID: uuid.UUID(v.OptionID),
		UserID: uuid.UUID(v.UserID), CreatedAt: v.CreatedAt,
	}, nil
}

// WithdrawDateVote answers DELETE /events/{event_id}/date-options/{option_id}/votes.
func (h *Handler) WithdrawDateVote(ctx context.Context, params gen.WithdrawDateVoteParams) error {
	return h.service.Withdraw(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.DateOptionID(params.OptionID))
}

// ListChatMessages answers GET /events/{event_id}/messages.
func (h *Handler) ListChatMessages(ctx context.Context, params gen.ListChatMessagesParams) (*gen.EventChatMessagesResponse, error) {
	in := httpapi.Opt(params.Before)
	page, err := h.service.Messages(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), in.Value, params.Limit.Or(50))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventChatMessage, len(page.Items))
	for i, m := range page.Items {
		items[i] = *m.toAPI()
	}
	return &gen.EventChatMessagesResponse{Items: items, NextCursor: gen.NullDateTime(page.Next)}, nil
}

// SendChatMessage answers POST /events/{event_id}/messages.
func (h *Handler) SendChatMessage(ctx context.Context, req *gen.SendEventChatMessageRequest, params gen.SendChatMessageParams) (*gen.EventChatMessage, error) {
	var client *domain.MessageID
	if id, ok := req.ClientMessageID.Get(); ok {
		client = new(domain.MessageID(id))
	}
	m, err := h.service.Send(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), req.Body, client)
	if err != nil {
		return nil, err
	}
	return m.toAPI(), nil
}

// pollSeconds is how often a client may look for messages while there is no
// realtime transport (contract §7).
const pollSeconds = 5

// AuthorizeChatSocket answers GET /events/{event_id}/ws.
func (h *Handler) AuthorizeChatSocket(ctx context.Context, params gen.AuthorizeChatSocketParams) (*gen.EventChatWebSocketAuthResponse, error) {
	v := httpapi.Viewer(ctx)
	if err := h.service.EnterChat(ctx, v, domain.EventID(params.EventID)); err != nil {
		return nil, err
	}
	return &gen.EventChatWebSocketAuthResponse{
		EventID: params.EventID, UserID: uuid.UUID(v.UserID), Authorized: true, PollIntervalSeconds: pollSeconds,
		WebsocketURL: gen.NullString(nil), Ticket: gen.NullString(nil), TicketExpiresAt: gen.NullDateTime(nil),
	}, nil
}

// GetReminderSettings answers GET /events/{event_id}/reminders.
func (h *Handler) GetReminderSettings(ctx context.Context, params gen.GetReminderSettingsParams) (*gen.EventReminderSettings, error) {
	return remindersAnswer(h.service.Reminders(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// SetReminderSettings answers PATCH /events/{event_id}/reminders.
func (h *Handler) SetReminderSettings(ctx context.Context, req *gen.SetEventReminderSettingsRequest, params gen.SetReminderSettingsParams) (*gen.EventReminderSettings, error) {
	in := ReminderInput{Enabled: httpapi.Opt(req.Enabled).Value, Offsets: req.OffsetsMinutes, Channels: translated[string](req.Channels)}
	return remindersAnswer(h.service.SetReminders(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), in))
}

// translated gives a list in the words of another type, nil for nil.
func translated[T, F ~string](list []F) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, value := range list {
		out[i] = T(value)
	}
	return out
}

func remindersAnswer(r Reminders, err error) (*gen.EventReminderSettings, error) {
	if err != nil {
		return nil, err
	}
	answer := &gen.EventReminderSettings{
		EventID: uuid.UUID(r.EventID), Enabled: r.Enabled, OffsetsMinutes: r.Offsets, Channels: translated[gen.ReminderChannel](r.Channels),
		UpdatedByUserID: gen.NullUUID[domain.UserID](nil), UpdatedAt: gen.NullDateTime(r.UpdatedAt),
	}
	if r.UpdatedAt != nil {
		answer.UpdatedByUserID = gen.NullUUID(&r.OrganizerID)
	}
	return answer, nil
}

func (o DateOption) toAPI() *gen.EventDateOption {
	return &gen.EventDateOption{
		ID: uuid.UUID(o.ID), EventID: uuid.UUID(o.EventID), StartsAt: o.StartsAt, EndsAt: gen.NullDateTime(o.EndsAt),
		Note: gen.NullString(o.Note), VoteCount: int(o.VoteCount), ViewerVoted: o.ViewerVoted, IsSelected: o.Selected,
		CreatedByUserID: uuid.UUID(o.OrganizerID), CreatedAt: o.CreatedAt,
	}
}

func (m Message) toAPI() *gen.EventChatMessage {
	return &gen.EventChatMessage{
		ID: uuid.UUID(m.ID), EventID: uuid.UUID(m.EventID), AuthorUserID: uuid.UUID(m.AuthorID), Author: user.NullAPI(m.Author),
		Body: m.Body, ClientMessageID: gen.NullUUID(m.ClientID), CreatedAt: m.CreatedAt, DeletedAt: gen.NullDateTime(m.DeletedAt),
	}
}
