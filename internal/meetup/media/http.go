package media

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract on pictures, and serves them.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{s} }

func uploadOf(ctx context.Context) Upload {
	data, mediaType := httpapi.Upload(ctx)
	return Upload{data, mediaType}
}

// SetEventCover implements PUT /events/{event_id}/cover.
func (h *Handler) SetEventCover(ctx context.Context, _ gen.SetEventCoverReq,
	params gen.SetEventCoverParams) (*gen.EventCoverHeaders, error) {
	p, e, err := h.service.SetCover(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.IfMatch.Or(""), uploadOf(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.EventCoverHeaders{ETag: e.ETag(), Response: gen.EventCover{EventID: params.EventID, Image: p.toAPI()}}, nil
}

// DeleteEventCover implements DELETE /events/{event_id}/cover.
func (h *Handler) DeleteEventCover(ctx context.Context, params gen.DeleteEventCoverParams) error {
	return h.service.RemoveCover(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.IfMatch.Or(""))
}

// SetGroupImage implements PUT /groups/{group_id}/image.
func (h *Handler) SetGroupImage(ctx context.Context, _ gen.SetGroupImageReq, params gen.SetGroupImageParams) (*gen.GroupImage, error) {
	p, err := h.service.SetGroupImage(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), uploadOf(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.GroupImage{GroupID: params.GroupID, Image: p.toAPI()}, nil
}

// DeleteGroupImage implements DELETE /groups/{group_id}/image.
func (h *Handler) DeleteGroupImage(ctx context.Context, params gen.DeleteGroupImageParams) error {
	return h.service.RemoveGroupImage(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID))
}

// SetAvatar implements PUT /me/avatar.
func (h *Handler) SetAvatar(ctx context.Context, _ gen.SetAvatarReq) (*gen.Avatar, error) {
	v := httpapi.Viewer(ctx)
	p, err := h.service.SetAvatar(ctx, v, uploadOf(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.Avatar{UserID: uuid.UUID(v.UserID), Image: p.toAPI()}, nil
}

// DeleteAvatar implements DELETE /me/avatar.
func (h *Handler) DeleteAvatar(ctx context.Context) error {
	return h.service.RemoveAvatar(ctx, httpapi.Viewer(ctx))
}

func (p Picture) toAPI() gen.UploadedImage {
	largest := p.Variants[len(p.Variants)-1]
	image := gen.UploadedImage{ID: uuid.UUID(p.ID), URL: p.URL, Width: largest.Width, Height: largest.Height, Color: p.Color}
	for _, v := range p.Variants {
		image.Variants = append(image.Variants, gen.ImageVariant{Width: v.Width, Height: v.Height, URL: v.URL})
	}
	return image
}

// Path is the path of all pictures.
const Path = "/media/"

// servable matches the keys of files, apart from their folder. Everything else in the store
// is not served.
var servable = regexp.MustCompile(`^[0-9a-f]{64}-(480|960|1600)\.jpg$`)

// Serve serves GET /media/.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) error {
	key := strings.TrimPrefix(r.URL.Path, Path)
	folder, name, _ := strings.Cut(key, "/")
	if !servable.MatchString(name) || folder != name[:2] {
		return domain.NotFound
	}
	file, err := h.service.Store.Open(r.Context(), key)
	if errors.Is(err, fs.ErrNotExist) {
		return domain.NotFound
	}
	if err != nil {
		return errors.Join(domain.ServiceUnavailable, err)
	}
	defer func() { _ = file.Close() }() // was only read
	header := w.Header()
	header.Set("Content-Type", "image/jpeg")
	header.Set("Content-Disposition", "inline")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // the web client has another origin
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("ETag", `"`+strings.TrimSuffix(name, ".jpg")+`"`)
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}
