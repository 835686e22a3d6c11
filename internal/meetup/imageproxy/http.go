package imageproxy

import (
	"context"
	"strconv"
	"strings"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/ratelimit"
)

// Handler implements the operation of the contract.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{s} }

// ProxyImage implements GET /images/proxy.
func (h *Handler) ProxyImage(ctx context.Context, params gen.ProxyImageParams) (gen.ProxyImageRes, error) {
	p, err := h.service.Get(ctx, params.URL, params.W.Or(0), ratelimit.Address(httpapi.Client(ctx).Address))
	if err != nil {
		return nil, err
	}
	header := httpapi.ResponseHeader(ctx)
	header.Set("Cache-Control", "public, max-age="+strconv.Itoa(int(minLifetime.Seconds())))
	if p.Private {
		header.Set("Cache-Control", "no-store")
	}
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // the web client has another origin
	if httpapi.MatchesETag(params.IfNoneMatch.Or(""), p.ETag) {
		return &gen.ProxyImageNotModified{ETag: p.ETag}, p.Close()
	}
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Content-Disposition", "attachment; filename=\"image."+strings.TrimPrefix(p.Type, "image/")+"\"")
	if info, err := p.Stat(); err == nil {
		header.Set("Content-Length", strconv.FormatInt(info.Size()-headerSize, 10))
	}
	return responses[p.Type](p), nil
}

// responses wrap a picture by its media type.
var responses = map[string]func(*Picture) gen.ProxyImageRes{
	"image/jpeg": func(p *Picture) gen.ProxyImageRes {
		return &gen.ProxyImageOKImageJpegHeaders{ETag: p.ETag, Response: gen.ProxyImageOKImageJpeg{Data: p}}
	},
	"image/png": func(p *Picture) gen.ProxyImageRes {
		return &gen.ProxyImageOKImagePNGHeaders{ETag: p.ETag, Response: gen.ProxyImageOKImagePNG{Data: p}}
	},
	"image/gif": func(p *Picture) gen.ProxyImageRes {
		return &gen.ProxyImageOKImageGIFHeaders{ETag: p.ETag, Response: gen.ProxyImageOKImageGIF{Data: p}}
	},
	"image/webp": func(p *Picture) gen.ProxyImageRes {
		return &gen.ProxyImageOKImageWEBPHeaders{ETag: p.ETag, Response: gen.ProxyImageOKImageWEBP{Data: p}}
	},
	"image/avif": func(p *Picture) gen.ProxyImageRes {
		return &gen.ProxyImageOKImageAvifHeaders{ETag: p.ETag, Response: gen.ProxyImageOKImageAvif{Data: p}}
	},
}
