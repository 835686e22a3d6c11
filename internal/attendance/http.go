package attendance

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler answers the operations of this room.
type Handler struct{ service *Service }

// NewHandler answers by the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// JoinEvent answers POST /events/{event_id}/join.
func (h *Handler) JoinEvent(ctx context.Context, req gen.OptJoinEventRequest, params gen.JoinEventParams) (*gen.EventParticipant, error) {
	visibility := req.Value.ParticipationVisibility.Or("")
	p, err := h.service.Join(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), string(visibility))
	if err != nil {
		return nil, err
	}
	return toAPI(p), nil
}

// LeaveEvent answers DELETE /events/{event_id}/join.
func (h *Handler) LeaveEvent(ctx context.Context, params gen.LeaveEventParams) (*gen.EventParticipant, error) {
	p, err := h.service.Leave(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	return toAPI(p), nil
}

func toAPI(p Participant) *gen.EventParticipant {
	return &gen.EventParticipant{
		ID: uuid.UUID(p.ID), EventID: uuid.UUID(p.EventID), UserID: uuid.UUID(p.UserID),
		Status: gen.ParticipationStatus(p.Status), ParticipationVisibility: gen.ParticipationVisibility(p.Visibility),
		JoinedAt: p.JoinedAt, LeftAt: gen.NullDateTime(p.LeftAt), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}
