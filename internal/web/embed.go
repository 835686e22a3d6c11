package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/view"
)

const (
	maxEmbedded = 10 // events of a page in a frame

	embedPath = "/embed/events"
)

// embedPolicy is the Content-Security-Policy of the only page that other sites may frame. It has no scripts.
var embedPolicy = strings.Join([]string{
	"default-src 'none'", "style-src " + assets.StyleSources(assets.ListStyle), "img-src 'self' data:", "font-src 'self'", "base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors *",
}, "; ")

// Embed serves a page for frames of other sites: one event, those of an organizer or a group, or those of a filter. It is that
// of anonymous visitors.
func (s *Site) Embed(w http.ResponseWriter, r *http.Request) error {
	ctx, v := s.anonymousVisit(w, r)
	d, err := s.embedded(ctx, v)
	if err != nil {
		return refuse(w, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.page.Language.String())
	h.Set("Content-Security-Policy", embedPolicy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "public, max-age=300")
	h.Add("Vary", "Accept-Language")
	_ = view.Embed(v.page, d).Render(ctx, w) // fails only when the client is gone
	return nil
}

func (s *Site) embedded(ctx context.Context, v *visit) (d view.EmbedData, err error) {
	query := v.r.URL.Query()
	if id, err := uuid.Parse(query.Get("event_id")); err == nil {
		details, err := s.publicEvent(ctx, id)
		if err != nil {
			return d, err
		}
		return view.EmbedData{Cards: []gen.EventCard{view.CardOf(details)}}, nil
	}
	params, err := s.listParams(ctx, v, cleaned(query))
	if err != nil {
		return d, err
	}
	d.All = listAddress(filterOf(query))
	if id, err := uuid.Parse(query.Get("organizer_id")); err == nil {
		params.OrganizerID, d.All = gen.NewOptUUID(id), view.UserURL(id)
	}
	if id, err := uuid.Parse(query.Get("group_id")); err == nil {
		g, err := publicGroup(s.api.GetGroup(ctx, gen.GetGroupParams{GroupID: id}))
		if err != nil {
			return d, err
		}
		params.GroupID, d.All = gen.NewOptUUID(id), view.PagePath(g.ShareURL)
	}
	if d.Cards, err = s.publicEvents(ctx, params, maxEmbedded); err == nil && params.OrganizerID.Set && len(d.Cards) > 0 {
		d.All = view.PersonURL(d.Cards[0].Organizer.Value) // events of deleted accounts are not listed
	}
	return d, err
}

// publicEvent returns an event that other services may show, as anonymous visitors see it.
func (s *Site) publicEvent(ctx context.Context, id uuid.UUID) (*gen.EventDetails, error) {
	return publicOnly(s.api.GetEvent(ctx, gen.GetEventParams{EventID: id}))
}

// publicOnly returns the event that an operation has returned, if other services may show it.
func publicOnly(details *gen.EventDetailsHeaders, err error) (*gen.EventDetails, error) {
	if err != nil {
		return nil, err
	}
	if !isPublic(details.Response.Event) {
		return nil, &view.Problem{Status: http.StatusNotFound}
	}
	return &details.Response, nil
}
