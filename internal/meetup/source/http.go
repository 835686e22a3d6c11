package source

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract on calendars of groups.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{s} }

// ListGroupSources serves GET /groups/{group_id}/sources.
func (h *Handler) ListGroupSources(ctx context.Context, params gen.ListGroupSourcesParams) (*gen.GroupSourcesResponse, error) {
	all, err := h.service.List(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID))
	if err != nil {
		return nil, err
	}
	response := &gen.GroupSourcesResponse{Items: make([]gen.GroupSource, len(all)), NextCursor: gen.NullCursor("")}
	for i, s := range all {
		response.Items[i] = s.api()
	}
	return response, nil
}

// AddGroupSource serves PUT /groups/{group_id}/sources.
func (h *Handler) AddGroupSource(ctx context.Context, req *gen.AddGroupSourceRequest,
	params gen.AddGroupSourceParams) (*gen.GroupSource, error) {
	added, err := h.service.Add(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), req.URL)
	if err != nil {
		return nil, err
	}
	return new(added.api()), nil
}

// RemoveGroupSource serves DELETE /groups/{group_id}/sources/{source_id}.
func (h *Handler) RemoveGroupSource(ctx context.Context, params gen.RemoveGroupSourceParams) error {
	return h.service.Remove(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), domain.SourceID(params.SourceID))
}

func (s Source) api() gen.GroupSource {
	out := gen.GroupSource{
		ID: uuid.UUID(s.ID), URL: s.URL, Host: s.Host, Status: gen.GroupSourceStatus(s.Status), LastReadAt: gen.NullDateTime(s.ReadAt),
		NextReadAt: s.DueAt, EventCount: int(s.Events), CreatedAt: s.CreatedAt, LastError: gen.NilGroupSourceError{Null: true},
	}
	if s.Error != nil {
		out.LastError = gen.NewNilGroupSourceError(gen.GroupSourceError(*s.Error))
	}
	return out
}

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"addGroupSource": httpapi.BodyCheck(func(_ context.Context, req *gen.AddGroupSourceRequest) error {
			_, err := h.service.parse(req.URL)
			return err
		}),
	}
}
