package view

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// EventData is what the page of an event shows.
type EventData struct {
	Details  *gen.EventDetails
	ETag     string // of the details
	Posts    PostsData
	Messages MessageList                   // of the hosts to the viewer
	Dates    *gen.EventDateOptionsResponse // nil: the date is fixed
	Reviews  *ReviewsData                  // nil: the event is not over
	Series   *SeriesData                   // nil: the event is in no series

	Questions *gen.EventAnswersResponse // with the viewer's answers; nil: the event asks nothing, or the viewer is not signed in
}

func (d EventData) id() string { return d.Details.Event.ID.String() }

// upright is the aspect below which a picture is shown whole.
const upright = 1.4

func (d EventData) hasUprightCover() bool {
	aspect, known := d.Details.Event.ImageAspect.Get()
	return known && aspect < upright
}

func (d EventData) going() bool { return d.has(gen.ParticipationStatusGoing) }

func (d EventData) incognito() bool {
	v := d.Details.ViewerParticipationVisibility
	return !v.Null && v.Value == gen.ParticipationVisibilityIncognito
}

// VisibilityField is the name of the choice who sees that the viewer goes, in forms and addresses.
const VisibilityField = "participation_visibility"

// PartyField is the name of the choice how many people come.
const PartyField = "party_size"

// maxPartySize is the largest party that an organizer can allow (contract).
const maxPartySize = 10

// parties are the choices how many people come: up to the largest party, that of the viewer included, or the free seats.
func (d EventData) parties() []int {
	largest := d.Details.Event.MaxPartySize
	if seats, limited := d.Details.SeatsLeft.Get(); limited {
		largest = min(largest, d.party()+seats)
	}
	all := make([]int, max(largest, d.party(), 1))
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// party is how many people come with the viewer, the viewer included; 0 if they are not going.
func (d EventData) party() int { return d.Details.ViewerPartySize.Value }

// chosenParty returns the choice how many people come: of the form that was sent, or else the party of the viewer.
func (p *Page) chosenParty(d EventData) string {
	return cmp.Or(p.Form.Values.Get(PartyField), strconv.Itoa(max(1, d.party())))
}

// visibility returns the choice who sees that the viewer goes: of the form that was sent, or else of the address of the page.
// The default is public.
func (p *Page) visibility() gen.ParticipationVisibility {
	if cmp.Or(p.Form.Values.Get(VisibilityField), p.Query.Get(VisibilityField)) == string(gen.ParticipationVisibilityIncognito) {
		return gen.ParticipationVisibilityIncognito
	}
	return gen.ParticipationVisibilityPublic
}

// WithVisibility adds to an address without a query the choice who sees that the viewer goes, unless it is the default.
func WithVisibility(address string, choice gen.ParticipationVisibility) string {
	if choice != gen.ParticipationVisibilityIncognito {
		return address
	}
	return address + "?" + url.Values{VisibilityField: {string(choice)}}.Encode()
}

// open reports whether the viewer may join. For anonymous viewers, only the event decides.
func (d EventData) open() bool { return d.Details.ViewerCanJoin }

// closed returns the id of the text that says why the viewer may not join.
func (d EventData) closed() string {
	e := d.Details.Event
	switch {
	case e.Status == gen.EventStatusCanceled:
		return "reason.event_canceled"
	case e.Status == gen.EventStatusCompleted:
		return "reason.event_ended"
	case e.Status == gen.EventStatusDraft:
		return "event.draft"
	case d.has(gen.ParticipationStatusRemoved):
		return "reason.removed"
	case d.has(gen.ParticipationStatusDeclined):
		return "reason.request_declined"
	case d.Details.SeatsLeft == gen.NewOptInt(0):
		return "reason.event_full"
	case e.Visibility == gen.EventVisibilityPrivate:
		return "reason.event_private"
	case e.Visibility == gen.EventVisibilityMembers:
		return "event.only_members"
	}
	return "event.closed"
}

// Place returns where an event is, in one line; "" if it has no place.
func Place(l gen.EventDetailsLocation) string {
	return strings.Trim(l.LocationText.Value+", "+l.City.Value, ", ")
}

// direction is the address of a map service that shows the way to the place.
type direction struct {
	name    string
	address templ.SafeURL
}

// directions are the services that show the way to the place of an event. It has coordinates.
func (d EventData) directions() []direction {
	at := d.point()
	return []direction{
		{"OpenStreetMap", templ.SafeURL("https://www.openstreetmap.org/directions?" + url.Values{"to": {at}}.Encode())},
		{"Google Maps", templ.SafeURL("https://www.google.com/maps/dir/?" + url.Values{"api": {"1"}, "destination": {at}}.Encode())},
		{"Apple Maps", templ.SafeURL("https://maps.apple.com/?" + url.Values{"daddr": {at}}.Encode())},
	}
}

// point returns the coordinates of the place.
func (d EventData) point() string {
	l := d.Details.Location
	return strconv.FormatFloat(l.Lat.Value, 'f', 6, 64) + "," + strconv.FormatFloat(l.Lng.Value, 'f', 6, 64)
}

// route is the geo: address of the place, which devices open in a map app.
func (d EventData) route() templ.SafeURL {
	at := d.point()
	return templ.SafeURL("geo:" + at + "?" + url.Values{"q": {at}}.Encode())
}
