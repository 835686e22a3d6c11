package web

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const (
	maxFeedEvents    = 200
	maxSitemapEvents = 1000

	feedPage = 100 // events of one operation
)

// EventsFeed serves the next events of a filter, which is that of the list, as Atom.
func (s *Site) EventsFeed(w http.ResponseWriter, r *http.Request) {
	s.writeFeed(w, r, "Moothall", listParams(r.URL.Query(), s.Clock()))
}

// feedOf returns the address of the feed of a list.
func feedOf(query url.Values) string {
	filter := url.Values{}
	for name, values := range query {
		if name != "cursor" && values[0] != "" {
			filter[name] = values
		}
	}
	return (&url.URL{Path: "/feeds/events.atom", RawQuery: filter.Encode()}).String()
}

// OrganizerFeed serves the next events of an organizer as Atom.
func (s *Site) OrganizerFeed(w http.ResponseWriter, r *http.Request) {
	id, err := uuid.Parse(r.PathValue("user_id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	s.writeFeed(w, r, "Moothall", gen.ListEventsParams{OrganizerID: gen.NewOptUUID(id)})
}

// Robots tells search engines what to read.
func (s *Site) Robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = fmt.Fprintf(w, "User-agent: *\nDisallow: /api/\nDisallow: /login\nSitemap: %s/sitemap.xml\n", s.origin())
}

// Sitemap lists the pages of the next public events.
func (s *Site) Sitemap(w http.ResponseWriter, r *http.Request) {
	events, err := s.publicEvents(w, r, gen.ListEventsParams{}, maxSitemapEvents)
	if err != nil {
		refuse(w, err)
		return
	}
	type page struct {
		URL string `xml:"loc"`
	}
	sitemap := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []page   `xml:"url"`
	}{Pages: []page{{s.origin() + "/"}}}
	for _, e := range events {
		sitemap.Pages = append(sitemap.Pages, page{s.eventURL(e.Event.ID)})
	}
	writeXML(w, "application/xml", sitemap)
}

func (s *Site) eventURL(id uuid.UUID) string { return s.origin() + "/events/" + id.String() }

// publicEvents returns at most limit events, as anonymous visitors see them.
func (s *Site) publicEvents(w http.ResponseWriter, r *http.Request, p gen.ListEventsParams, limit int) (events []gen.EventCard, err error) {
	ctx, v := newVisit(w, r)
	v.page, v.cookies = s.newPage(r), nil
	p.Limit = gen.NewOptInt(feedPage)
	for {
		list, err := s.api.ListEvents(ctx, p)
		if err != nil {
			return nil, err
		}
		cards, err := decodeItems[gen.EventCard](list.Items)
		if err != nil {
			return nil, err
		}
		if events = append(events, cards...); list.NextCursor.Null || len(events) >= limit {
			return events[:min(len(events), limit)], nil
		}
		p.Cursor = gen.NewOptString(list.NextCursor.Value)
	}
}

// refuse answers with the status of an operation that was refused.
func refuse(w http.ResponseWriter, err error) {
	problem, refused := errors.AsType[*view.Problem](err)
	if !refused {
		panic(err) // the server logs it and answers
	}
	http.Error(w, http.StatusText(problem.Status), problem.Status)
}

// atomFeed and atomEntry are those of RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Link    atomLink    `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"` // when the event was created
	Author  string   `xml:"author>name"`
	Summary string   `xml:"summary"`
	Link    atomLink `xml:"link"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

// writeFeed writes the events of a list, the newest first.
func (s *Site) writeFeed(w http.ResponseWriter, r *http.Request, title string, p gen.ListEventsParams) {
	events, err := s.publicEvents(w, r, p, maxFeedEvents)
	if err != nil {
		refuse(w, err)
		return
	}
	slices.SortStableFunc(events, func(a, b gen.EventCard) int { return cmp.Compare(b.Event.ID.Time(), a.Event.ID.Time()) })
	address := s.origin() + (&url.URL{Path: r.URL.Path, RawQuery: r.URL.Query().Encode()}).String()
	feed := atomFeed{ID: address, Title: title, Link: atomLink{"self", address}, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for i, e := range events {
		entry := s.atomEntry(e)
		if i == 0 {
			feed.Updated = entry.Updated
		}
		feed.Entries = append(feed.Entries, entry)
	}
	writeXML(w, "application/atom+xml", feed)
}

func (s *Site) atomEntry(e gen.EventCard) atomEntry {
	seconds, nanoseconds := e.Event.ID.Time().UnixTime()
	entry := atomEntry{
		ID: "urn:uuid:" + e.Event.ID.String(), Title: e.Event.Title, Link: atomLink{"alternate", s.eventURL(e.Event.ID)},
		Updated: time.Unix(seconds, nanoseconds).UTC().Format(time.RFC3339),
		Author:  "Moothall",
		Summary: view.In(e.Event.StartsAt, e.Event.Timezone).Format("2006-01-02 15:04 MST"),
	}
	if !e.Organizer.Null {
		entry.Author = e.Organizer.Value.DisplayName
	}
	if !e.Location.City.Null {
		entry.Summary += ", " + e.Location.City.Value
	}
	return entry
}

func writeXML(w http.ResponseWriter, mediaType string, document any) {
	body, err := xml.Marshal(document)
	if err != nil {
		panic(err) // texts have an XML form
	}
	w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = fmt.Fprintf(w, "%s%s", xml.Header, body) // fails only when the client is gone
}
