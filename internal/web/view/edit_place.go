package view

import "net/url"

// PlaceFields are the fields that a found address fills.
var PlaceFields = []string{"location_text", "city", "lat", "lng"}

// foundPlace is an address that a search has found.
type foundPlace struct {
	Name  string
	Value string // of its button
}

// foundPlaces returns the addresses that the form of an event shows.
func (p *Page) foundPlaces(d EditData) (found []foundPlace) {
	if p.Form.Action != d.action() {
		return nil
	}
	for _, value := range p.Form.Values["found"] {
		if fields, err := url.ParseQuery(value); err == nil {
			found = append(found, foundPlace{fields.Get("name"), value})
		}
	}
	return found
}

// atPlace reports whether a button of the place has shown the form again.
func (p *Page) atPlace(d EditData) bool {
	return p.Form.Action == d.action() && p.Form.Step == StepPlace
}
