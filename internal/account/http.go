package account

import (
	"context"

	"github.com/go-faster/jx"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Handler answers the operations of this room.
type Handler struct {
	service      *Service
	expireCookie func(context.Context)
}

// NewHandler answers by the service; expireCookie has the browser forget its
// refresh token.
func NewHandler(s *Service, expireCookie func(context.Context)) *Handler {
	return &Handler{service: s, expireCookie: expireCookie}
}

// ExportMe answers GET /me/export.
func (h *Handler) ExportMe(ctx context.Context) (*gen.AccountExportHeaders, error) {
	parts, err := h.service.Export(ctx, httpapi.Viewer(ctx).UserID)
	if err != nil {
		return nil, err
	}
	export := make(gen.AccountExport, len(parts))
	for name, value := range parts {
		export[name] = jx.Raw(value)
	}
	return &gen.AccountExportHeaders{ContentDisposition: `attachment; filename="moothall-export.json"`, Response: export}, nil
}

// DeleteMe answers DELETE /me.
func (h *Handler) DeleteMe(ctx context.Context) error {
	if err := h.service.Delete(ctx, httpapi.Viewer(ctx).UserID); err != nil {
		return err
	}
	h.expireCookie(ctx)
	return nil
}
