package datevote

import (
	"context"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on the date of an event.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// SetEventDateMode serves PATCH /events/{event_id}/date-mode.
func (h *Handler) SetEventDateMode(ctx context.Context, req *gen.SetEventDateModeRequest, params gen.SetEventDateModeParams) error {
	return h.service.SetMode(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), string(req.Mode))
}

// ListDateOptions serves GET /events/{event_id}/date-options.
func (h *Handler) ListDateOptions(ctx context.Context, params gen.ListDateOptionsParams) (*gen.EventDateOptionsResponse, error) {
	list, err := h.service.Options(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventDateOption, len(list.Items))
	for i, o := range list.Items {
		items[i] = o.toAPI()
	}
	return &gen.EventDateOptionsResponse{
		Items: items, NextCursor: gen.NullString(nil),
		DateMode: gen.EventDateMode(list.DateMode), SelectedOptionID: gen.NullUUID(list.Selected),
	}, nil
}

// CreateDateOption serves POST /events/{event_id}/date-options.
func (h *Handler) CreateDateOption(ctx context.Context, req *gen.CreateEventDateOptionRequest,
	params gen.CreateDateOptionParams) (*gen.EventDateOption, error) {
	o, err := h.service.Add(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), inputOf(req))
	if err != nil {
		return nil, err
	}
	return new(o.toAPI()), nil
}

func inputOf(req *gen.CreateEventDateOptionRequest) Input {
	return Input{StartsAt: req.StartsAt, EndsAt: httpapi.Opt[time.Time](req.EndsAt).Value, Note: httpapi.Opt[string](req.Note).Value}
}

// SelectDateOption serves POST /events/{event_id}/date-options/{option_id}/select.
func (h *Handler) SelectDateOption(ctx context.Context, params gen.SelectDateOptionParams) (*gen.EventDateOption, error) {
	o, err := h.service.Select(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.DateOptionID(params.OptionID))
	if err != nil {
		return nil, err
	}
	return new(o.toAPI()), nil
}

// VoteForDateOption serves POST /events/{event_id}/date-options/{option_id}/votes.
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

// WithdrawDateVote serves DELETE /events/{event_id}/date-options/{option_id}/votes.
func (h *Handler) WithdrawDateVote(ctx context.Context, params gen.WithdrawDateVoteParams) error {
	return h.service.Withdraw(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.DateOptionID(params.OptionID))
}

func (o Option) toAPI() gen.EventDateOption {
	return gen.EventDateOption{
		ID: uuid.UUID(o.ID), EventID: uuid.UUID(o.EventID), StartsAt: o.StartsAt, EndsAt: gen.NullDateTime(o.EndsAt),
		Note: gen.NullString(o.Note), VoteCount: int(o.VoteCount), ViewerVoted: o.ViewerVoted, IsSelected: o.Selected,
		CreatedByUserID: uuid.UUID(o.OrganizerID), CreatedAt: o.CreatedAt,
	}
}
