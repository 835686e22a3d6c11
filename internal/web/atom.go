package web

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

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

// writeAtom writes a feed, the newest events first.
func (s *Site) writeAtom(w http.ResponseWriter, r *http.Request, title string, events []gen.EventCard) error {
	slices.SortStableFunc(events, func(a, b gen.EventCard) int { return createdAt(b).Compare(createdAt(a)) })
	address := s.Origin + (&url.URL{Path: r.URL.Path, RawQuery: r.URL.Query().Encode()}).String()
	feed := atomFeed{ID: address, Title: title, Link: atomLink{"self", address}, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for i, e := range events {
		entry := atomEntryOf(e)
		if i == 0 {
			feed.Updated = entry.Updated
		}
		feed.Entries = append(feed.Entries, entry)
	}
	return writeXML(w, "application/atom+xml", feed)
}

func atomEntryOf(e gen.EventCard) atomEntry {
	entry := atomEntry{
		ID: "urn:uuid:" + e.Event.ID.String(), Title: e.Event.Title, Link: atomLink{"alternate", e.Event.ShareURL},
		Updated: createdAt(e).Format(time.RFC3339),
		Author:  "Moothall",
		Summary: view.In(e.Event.StartsAt, e.Event.Timezone).Format("2006-01-02 15:04 MST"),
	}
	if e.Organizer.Value.NameChosen {
		entry.Author = e.Organizer.Value.DisplayName
	}
	if !e.Location.City.Null {
		entry.Summary += ", " + e.Location.City.Value
	}
	return entry
}

func writeXML(w http.ResponseWriter, mediaType string, document any) error {
	body, err := xml.Marshal(document)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = fmt.Fprintf(w, "%s%s", xml.Header, body) // fails only when the client is gone
	return nil
}
