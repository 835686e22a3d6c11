package view

import (
	"encoding/json"
	"fmt"

	"github.com/a-h/templ"

	"moothall/internal/web/assets"
)

// Map is a map of events.
type Map struct {
	Query    string  // of the events, as the API takes it
	Lat, Lng float64 // of the centre
	Zoom     int
}

// attributes returns what the script of maps shows.
func (m Map) attributes(p *Page) templ.Attributes {
	a := mapAttributes(p)
	a["data-query"], a["data-center"], a["data-zoom"] = m.Query, fmt.Sprintf("%.4f,%.4f", m.Lng, m.Lat), m.Zoom
	return a
}

// mapAttributes returns the addresses of the files of the script of maps, and the names of its controls.
func mapAttributes(p *Page) templ.Attributes {
	names, err := json.Marshal(map[string]string{
		"Map.Title": p.T("map.title"), "NavigationControl.ZoomIn": p.T("map.zoom_in"), "NavigationControl.ZoomOut": p.T("map.zoom_out"),
		"Popup.Close": p.T("layout.close"), "Search": p.T("map.search_area"),
	})
	if err != nil {
		panic(err) // texts have a JSON form
	}
	return templ.Attributes{
		"data-module": assets.URL("map.js"), "data-worker": assets.URL("map-worker.js"), "data-stylesheet": assets.URL("map.css"),
		"data-tiles": p.Tiles, "data-streets": p.Streets, "data-strings": string(names),
	}
}
