package calendar

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// GetCalendarFeed answers GET /calendar/feed.
func (h *Handler) GetCalendarFeed(ctx context.Context) (*gen.CalendarFeed, error) {
	return feedAPI(h.service.Feed(ctx, httpapi.Viewer(ctx)))
}

// OpenCalendarFeed answers POST /calendar/feed.
func (h *Handler) OpenCalendarFeed(ctx context.Context) (*gen.CalendarFeed, error) {
	return feedAPI(h.service.OpenFeed(ctx, httpapi.Viewer(ctx)))
}

// CloseCalendarFeed answers DELETE /calendar/feed.
func (h *Handler) CloseCalendarFeed(ctx context.Context) error {
	return h.service.CloseFeed(ctx, httpapi.Viewer(ctx))
}

func feedAPI(f Feed, err error) (*gen.CalendarFeed, error) {
	if err != nil {
		return nil, err
	}
	return &gen.CalendarFeed{URL: f.URL, CreatedAt: f.CreatedAt}, nil
}

// ReadCalendarFeed answers GET /calendar/feeds/{feed}.
func (h *Handler) ReadCalendarFeed(ctx context.Context, params gen.ReadCalendarFeedParams) (gen.ReadCalendarFeedRes, error) {
	secret, ok := strings.CutSuffix(params.Feed, ".ics")
	if !ok {
		return nil, domain.NotFound
	}
	calendar, err := h.service.ReadFeed(ctx, secret)
	if err != nil {
		return nil, err
	}
	tag, same := version(ctx, calendar, params.IfNoneMatch.Or(""))
	if same {
		return &gen.NotModified{ETag: tag}, nil
	}
	return &gen.CalendarHeaders{ETag: tag, Response: gen.Calendar{Data: bytes.NewReader(calendar)}}, nil
}

// DownloadEventCalendar answers GET /events/{event_id}/calendar.ics.
func (h *Handler) DownloadEventCalendar(ctx context.Context, params gen.DownloadEventCalendarParams) (gen.DownloadEventCalendarRes, error) {
	calendar, err := h.service.EventCalendar(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	tag, same := version(ctx, calendar, params.IfNoneMatch.Or(""))
	if same {
		return &gen.NotModified{ETag: tag}, nil
	}
	return &gen.CalendarHeaders{ETag: tag, Response: gen.Calendar{Data: bytes.NewReader(calendar)}}, nil
}

// version gives the ETag of a calendar and whether the caller knows it already.
// Their own cache may keep it, and asks again each time.
func version(ctx context.Context, calendar []byte, known string) (tag string, same bool) {
	httpapi.ResponseHeader(ctx).Set("Cache-Control", "private, no-cache")
	sum := sha256.Sum256(calendar)
	tag = `"` + hex.EncodeToString(sum[:16]) + `"`
	return tag, httpapi.MatchesETag(known, tag)
}
