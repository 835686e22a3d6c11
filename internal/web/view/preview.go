package view

import (
	"time"

	"moothall/api/gen"
)

// Preview is what other services show for a link to a page.
type Preview struct {
	Type                    string // of OpenGraph
	URL                     string // canonical
	OEmbed                  string // address of the description for frames; may be empty
	Image, ImageAlt         string
	IsIcon                  bool   // the picture is that of the service
	ImageWidth, ImageHeight int    // pixels; 0 if unknown
	Square                  string // address of a square picture; may be empty
	Data                    any    // in the vocabulary of schema.org; may be nil
}

// twitterCard is how large services show the picture.
func (p *Preview) twitterCard() string {
	if p.Type == ProfilePreview || p.IsIcon {
		return "summary"
	}
	return "summary_large_image"
}

// The types of previews.
const (
	EventPreview   = "website"
	ProfilePreview = "profile"
)

// EventJSON is an event in the vocabulary of schema.org, for search engines.
type EventJSON struct {
	Context        string     `json:"@context"`
	Type           string     `json:"@type"`
	Name           string     `json:"name"`
	Description    string     `json:"description,omitempty"`
	URL            string     `json:"url"`
	Image          []string   `json:"image"`
	StartDate      string     `json:"startDate"` // in the offset of the place
	EndDate        string     `json:"endDate,omitempty"`
	Status         string     `json:"eventStatus"`
	AttendanceMode string     `json:"eventAttendanceMode"`
	Location       ThingJSON  `json:"location"`
	Organizer      *ThingJSON `json:"organizer,omitempty"`
	Free           *bool      `json:"isAccessibleForFree,omitempty"`
}

// ThingJSON is a place, an address or a person in the vocabulary of schema.org.
type ThingJSON struct {
	Context  string     `json:"@context,omitempty"`
	Type     string     `json:"@type"`
	Name     string     `json:"name,omitempty"`
	URL      string     `json:"url,omitempty"`
	Address  *ThingJSON `json:"address,omitempty"`
	Locality string     `json:"addressLocality,omitempty"`
}

// NewPersonJSON describes the user of a page.
func NewPersonJSON(name, page string) ThingJSON {
	return ThingJSON{Context: "https://schema.org", Type: "Person", Name: name, URL: page}
}

// NewEventJSON describes an event as anonymous viewers see it. organizer is the address of the page of its organizer.
func NewEventJSON(d *gen.EventDetails, p *Preview, organizer string) EventJSON {
	e := d.Event
	j := EventJSON{
		Context: "https://schema.org", Type: "Event", Name: e.Title, Description: e.Description.Value,
		URL: p.URL, Image: []string{p.Image, p.Square},
		StartDate: In(e.StartsAt, e.Timezone).Format(time.RFC3339), Status: "https://schema.org/EventScheduled",
		AttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
		Location: ThingJSON{Type: "Place", Name: d.Location.LocationText.Value,
			Address: &ThingJSON{Type: "PostalAddress", Locality: d.Location.City.Value}},
	}
	if !e.EndsAt.Null {
		j.EndDate = In(e.EndsAt.Value, e.Timezone).Format(time.RFC3339)
	}
	if e.Status == gen.EventStatusCanceled {
		j.Status = "https://schema.org/EventCancelled"
	}
	if d.Location.City.Null && d.Location.LocationText.Null && d.Location.Lat.Null {
		j.AttendanceMode = "https://schema.org/OnlineEventAttendanceMode"
		j.Location = ThingJSON{Type: "VirtualLocation", URL: p.URL} // the page, never the address of the conference
	}
	if !e.SourceHost.Set { // else the price is unknown
		j.Free = new(e.Price == gen.EventPriceFree)
	}
	if d.Organizer.Value.NameChosen {
		j.Organizer = &ThingJSON{Type: "Person", Name: d.Organizer.Value.DisplayName, URL: organizer}
	}
	return j
}
