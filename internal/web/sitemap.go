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
	_, _ = fmt.Fprintf(w, "User-agent: *\nDisallow: /api/\nDisallow: /i/\nDisallow: /login\nDisallow: /t/\nSitemap: %[1]s/sitemap.xml\n"+
		"Sitemap: %[1]s/sitemap-groups.xml\n", s.Origin)
}

// Sitemap lists the pages of the next public events.
func (s *Site) Sitemap(w http.ResponseWriter, r *http.Request) error {
	ctx, _ := s.anonymousVisit(w, r)
	events, err := s.publicEvents(ctx, gen.ListEventsParams{}, maxSitemapEvents)
	if err != nil {
		return refuse(w, err)
	}
	pages := []string{s.Origin + "/"}
	for _, e := range events {
		pages = append(pages, e.Event.ShareURL)
	}
	return writeSitemap(w, pages)
}

// GroupSitemap lists the pages of public groups. It is a sitemap of its own because no cache has lists of groups.
func (s *Site) GroupSitemap(w http.ResponseWriter, r *http.Request) error {
	ctx, _ := s.anonymousVisit(w, r)
	groups, err := s.publicGroups(ctx, maxSitemapGroups)
	if err != nil {
		return refuse(w, err)
	}
	pages := []string{s.Origin + "/groups"}
	for _, g := range groups {
		pages = append(pages, g.ShareURL)
	}
	return writeSitemap(w, pages)
}

func writeSitemap(w http.ResponseWriter, addresses []string) error {
	type page struct {
		URL string `xml:"loc"`
	}
	sitemap := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []page   `xml:"url"`
	}{}
	for _, address := range addresses {
		sitemap.Pages = append(sitemap.Pages, page{address})
	}
	return writeXML(w, "application/xml", sitemap)
}
