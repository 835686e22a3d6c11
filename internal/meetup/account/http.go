package account

import (
	"context"

	"github.com/go-faster/jx"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of whole accounts.
type Handler struct {
	service      *Service
	expireCookie func(context.Context)
}

// NewHandler returns the handler of a service. expireCookie deletes the refresh
// cookie.
func NewHandler(s *Service, expireCookie func(context.Context)) *Handler {
	return &Handler{service: s, expireCookie: expireCookie}
}

// ExportMe serves GET /me/export.
func (h *Handler) ExportMe(ctx context.Context) (*gen.AccountExportHeaders, error) {
	sections, err := h.service.Export(ctx, httpapi.Viewer(ctx).UserID)
	if err != nil {
		return nil, err
	}
	export := make(gen.AccountExport, len(sections))
	for name, value := range sections {
		export[name] = jx.Raw(value)
	}
	return &gen.AccountExportHeaders{ContentDisposition: `attachment; filename="moothall-export.json"`, Response: export}, nil
}

// DeleteMe serves DELETE /me.
func (h *Handler) DeleteMe(ctx context.Context) error {
	if err := h.service.Delete(ctx, httpapi.Viewer(ctx).UserID); err != nil {
		return err
	}
	h.expireCookie(ctx)
	return nil
}
