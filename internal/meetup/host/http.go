package host

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the hosts of events.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListHosts serves GET /events/{event_id}/hosts.
func (h *Handler) ListHosts(ctx context.Context, params gen.ListHostsParams) (*gen.EventHostsResponse, error) {
	return hostsAPI(h.service.List(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// InviteHost serves POST /events/{event_id}/hosts.
func (h *Handler) InviteHost(ctx context.Context, req *gen.InviteHostRequest, params gen.InviteHostParams) (*gen.EventHost, error) {
	return hostAPI(h.service.Invite(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.UserID(req.UserID)))
}

// UpdateHost serves PATCH /events/{event_id}/hosts/{user_id}.
func (h *Handler) UpdateHost(ctx context.Context, _ *gen.UpdateHostRequest, params gen.UpdateHostParams) (*gen.EventHost, error) {
	return hostAPI(h.service.Accept(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.UserID(params.UserID)))
}

// RemoveHost serves DELETE /events/{event_id}/hosts/{user_id}.
func (h *Handler) RemoveHost(ctx context.Context, params gen.RemoveHostParams) error {
	return h.service.Remove(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.UserID(params.UserID))
}

// TransferEvent serves POST /events/{event_id}/transfer.
func (h *Handler) TransferEvent(ctx context.Context, req *gen.TransferEventRequest,
	params gen.TransferEventParams) (*gen.EventHostsResponse, error) {
	return hostsAPI(h.service.Transfer(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.UserID(req.UserID)))
}

func hostsAPI(all []Host, err error) (*gen.EventHostsResponse, error) {
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventHost, len(all))
	for i, h := range all {
		items[i] = h.api()
	}
	return &gen.EventHostsResponse{Items: items, NextCursor: gen.NullCursor("")}, nil
}

func hostAPI(h Host, err error) (*gen.EventHost, error) {
	if err != nil {
		return nil, err
	}
	return new(h.api()), nil
}

func (h Host) api() gen.EventHost {
	return gen.EventHost{
		UserID: uuid.UUID(h.UserID), Profile: user.NullAPI(h.Profile), Role: gen.HostRole(h.Role), Status: gen.HostStatus(h.Status),
		CreatedAt: h.CreatedAt,
	}
}
