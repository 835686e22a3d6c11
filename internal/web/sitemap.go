package web

import (
	"encoding/xml"
	"fmt"
	"net/http"

	"moothall/api/gen"
)

// How many pages of each kind the sitemap lists.
const (
	maxSitemapEvents = 1000
	maxSitemapGroups = 1000
)

// Robots serves robots.txt: what search engines may read.
func (s *Site) Robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = fmt.Fprintf(w, "User-agent: *\nDisallow: /api/\nDisallow: /i/\nDisallow: /login\nDisallow: /t/\nSitemap: %s/sitemap.xml\n", s.Origin)
}

// Sitemap lists the pages of the next public events, and of public groups.
func (s *Site) Sitemap(w http.ResponseWriter, r *http.Request) error {
	ctx, _ := s.anonymousVisit(w, r)
	events, err := s.publicEvents(ctx, gen.ListEventsParams{}, maxSitemapEvents)
	if err != nil {
		return refuse(w, err)
	}
	groups, err := s.publicGroups(ctx, maxSitemapGroups)
	if err != nil {
		return refuse(w, err)
	}
	type page struct {
		URL string `xml:"loc"`
	}
	sitemap := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []page   `xml:"url"`
	}{Pages: []page{{s.Origin + "/"}}}
	for _, e := range events {
		sitemap.Pages = append(sitemap.Pages, page{e.Event.ShareURL})
	}
	for _, g := range groups {
		sitemap.Pages = append(sitemap.Pages, page{g.ShareURL})
	}
	return writeXML(w, "application/xml", sitemap)
}
