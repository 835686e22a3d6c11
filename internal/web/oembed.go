package web

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/preview"
	"moothall/internal/web/view"
)

// oEmbed is a response of oEmbed 1.0 (https://oembed.com, section 2.3).
type oEmbed struct {
	Type            string `json:"type"`
	Version         string `json:"version"`
	Title           string `json:"title"`
	AuthorName      string `json:"author_name,omitempty"`
	AuthorURL       string `json:"author_url,omitempty"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"` // seconds
	ThumbnailURL    string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          int    `json:"height"`

	frame url.Values // query of the page in the frame
}

// The sizes of frames in pixels, unless the consumer wants smaller ones.
const (
	frameWidth        = 560
	eventFrameHeight  = 180
	eventsFrameHeight = 600
)

// OEmbed describes how other sites show the page of an event, an organizer, a group or a list. It answers 404 for any other
// address, and 501 for a format that is not JSON.
func (s *Site) OEmbed(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	if format := query.Get("format"); format != "" && format != "json" {
		http.Error(w, "only format=json", http.StatusNotImplemented)
		return nil
	}
	ctx, _ := s.anonymousVisit(w, r)
	o, err := s.oEmbedOf(ctx, query.Get("url"))
	if err != nil {
		return refuse(w, err)
	}
	o.fit(limitOf(query, "maxwidth"), limitOf(query, "maxheight"))
	o.HTML = s.frame(o)
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age="+strconv.Itoa(o.CacheAge))
	_, _ = w.Write(body) // fails only when the client is gone
	return nil
}

// limitOf returns a positive number of a query, or else the largest one.
func limitOf(query url.Values, name string) int {
	if n, err := strconv.Atoi(query.Get(name)); err == nil && n > 0 {
		return n
	}
	return math.MaxInt
}

// fit keeps the frame within the size that a consumer wants, and omits a picture that is larger.
func (o *oEmbed) fit(maxWidth, maxHeight int) {
	o.Width, o.Height = min(o.Width, maxWidth), min(o.Height, maxHeight)
	if o.ThumbnailWidth > maxWidth || o.ThumbnailHeight > maxHeight {
		o.ThumbnailURL, o.ThumbnailWidth, o.ThumbnailHeight = "", 0, 0
	}
}

// frame returns the HTML of a frame.
func (s *Site) frame(o *oEmbed) string {
	const frame = `<iframe src="%s" width="%d" height="%d" title="%s" frameborder="0" loading="lazy"></iframe>`
	return fmt.Sprintf(frame,
		html.EscapeString(s.embedURL(o.frame)), o.Width, o.Height, html.EscapeString(o.Title))
}

// listFrame describes the frame of a list of events.
func listFrame(query url.Values) *oEmbed {
	return &oEmbed{
		Type: "rich", Version: "1.0", Title: "Moothall", ProviderName: "Moothall", CacheAge: 3600,
		Width: frameWidth, Height: eventsFrameHeight, frame: query,
	}
}

// embedURL returns the address of a page for frames.
func (s *Site) embedURL(query url.Values) string {
	return s.Origin + (&url.URL{Path: embedPath, RawQuery: query.Encode()}).String()
}

// oEmbedOf describes the page at an address of this service.
func (s *Site) oEmbedOf(ctx context.Context, address string) (*oEmbed, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme+"://"+u.Host != s.Origin {
		return nil, &view.Problem{Status: http.StatusNotFound}
	}
	o := listFrame(url.Values{})
	o.ProviderURL = s.Origin + "/"
	last := path.Base(u.Path)
	id, _ := uuid.Parse(last) // of the event or user, if the page has one
	switch s.Page(u.Path) {
	case "/":
		o.frame = filterOf(u.Query())
	case "/users/{user_id}":
		profile, err := s.api.GetProfile(ctx, gen.GetProfileParams{UserID: id})
		return s.describeUser(ctx, o, profile, err)
	case "/p/{username}":
		profile, err := s.api.GetProfileByUsername(ctx, gen.GetProfileByUsernameParams{Username: last})
		return s.describeUser(ctx, o, profile, err)
	case "/events/{event_id}":
		details, err := s.publicEvent(ctx, id)
		return s.describeEvent(ctx, o, details, err)
	case "/e/{address}":
		details, err := publicOnly(s.eventAt(ctx, last))
		return s.describeEvent(ctx, o, details, err)
	case "/groups/{group_id}":
		g, err := publicGroup(s.api.GetGroup(ctx, gen.GetGroupParams{GroupID: id}))
		return describeGroup(o, g, err)
	case "/g/{slug}":
		g, err := publicGroup(s.groupAt(ctx, last))
		return describeGroup(o, g, err)
	default:
		err = &view.Problem{Status: http.StatusNotFound}
	}
	return o, err
}

// describeUser describes the page of a user, unless there was an error.
func (s *Site) describeUser(ctx context.Context, o *oEmbed, profile *gen.PublicProfile, err error) (*oEmbed, error) {
	if err != nil {
		return nil, err
	}
	o.Title = visitOf(ctx).page.Name(*profile)
	o.frame.Set("organizer_id", profile.UserID.String())
	return o, nil
}

// describeGroup describes the page of a group, unless there was an error.
func describeGroup(o *oEmbed, g *gen.Group, err error) (*oEmbed, error) {
	if err != nil {
		return nil, err
	}
	o.Title = g.Name
	o.frame.Set("group_id", g.ID.String())
	return o, nil
}

// describeEvent describes the page of an event, unless there was an error.
func (s *Site) describeEvent(ctx context.Context, o *oEmbed, d *gen.EventDetails, err error) (*oEmbed, error) {
	if err != nil {
		return nil, err
	}
	o.Title, o.Height = d.Event.Title, eventFrameHeight
	o.frame.Set("event_id", d.Event.ID.String())
	if !d.Organizer.Null {
		o.AuthorName, o.AuthorURL = visitOf(ctx).page.Name(d.Organizer.Value), s.Origin+view.PersonURL(d.Organizer.Value)
	}
	if p := s.preview(d); p.ImageWidth > 0 {
		o.ThumbnailURL, o.ThumbnailWidth, o.ThumbnailHeight = p.Image, preview.Width, preview.Height
	}
	return o, nil
}
