package view

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/assets"
)

// Map is a map of events, or of the place of one event.
type Map struct {
	IsPlace  bool    // it has a pin in its centre, and loads only when the visitor asks for it
	Query    string  // of the events, as the API takes it
	Lat, Lng float64 // of the centre
	Zoom     int
}

// attributes returns what the script of maps shows.
func (m Map) attributes(p *Page) templ.Attributes {
	a := mapAttributes(p)
	a["data-query"], a["data-center"], a["data-zoom"] = m.Query, fmt.Sprintf("%.5f,%.5f", m.Lng, m.Lat), m.Zoom
	a["data-place"] = m.IsPlace
	return a
}

// placeMap returns the map of the place of an event, which has coordinates.
func (p *Page) placeMap(l gen.EventDetailsLocation) Map {
	m := Map{IsPlace: true, Lat: l.Lat.Value, Lng: l.Lng.Value, Zoom: 9}
	if p.Streets != "" {
		m.Zoom = 15
	}
	return m
}

var mapTextsOf sync.Map // JSON by the name of the language

// mapTexts returns the names of the controls of maps, in JSON.
func mapTexts(p *Page) string {
	if known, ok := mapTextsOf.Load(p.Language.String()); ok {
		return known.(string)
	}
	names, err := json.Marshal(map[string]string{
		"Map.Title": p.T("map.title"), "NavigationControl.ZoomIn": p.T("map.zoom_in"), "NavigationControl.ZoomOut": p.T("map.zoom_out"),
		"Popup.Close": p.T("layout.close"), "Search": p.T("map.search_area"),
	})
	if err != nil {
		panic(err) // texts have a JSON form
	}
	mapTextsOf.Store(p.Language.String(), string(names))
	return string(names)
}

// mapAttributes returns the addresses of the files of the script of maps, and the names of its controls.
func mapAttributes(p *Page) templ.Attributes {
	return templ.Attributes{
		"data-module": assets.URL("map.js"), "data-worker": assets.URL("map-worker.js"), "data-stylesheet": assets.URL("map.css"),
		"data-tiles": p.Tiles, "data-streets": p.Streets, "data-strings": mapTexts(p),
	}
}
