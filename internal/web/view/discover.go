package view

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// DiscoverData is what the list of events shows.
type DiscoverData struct {
	Filter  Filter
	ForYou  []gen.EventCard // recommended to the viewer
	Days    []Day
	Nearest []gen.EventCard // near the place of a filter that nothing matches
	More    string          // address of the next events; "" if there are none
	Problem *Problem        // why the filter is refused
	Map     Map
}

// Filter are the fields of the filter, as the visitor filled them in.
type Filter struct {
	Words, City, Category, Price, Date string
	Lat, Lng, Radius                   string
	Place                              string // the city that the coordinates belong to; empty: none
	Zone                               string // time zone of the date; may be empty
}

// FilterOf reads the filter in the query of a page.
func FilterOf(q url.Values) Filter {
	return Filter{
		Words: q.Get("q"), City: q.Get("city"), Category: q.Get("category"), Price: q.Get("price"), Date: DateOf(q),
		Lat: q.Get("lat"), Lng: q.Get("lng"), Radius: q.Get("radius_km"), Place: q.Get("place"),
		Zone: q.Get("tz"),
	}
}

// DateOf returns the date in the query of a list, which is a date or a word like "weekend". The form of the filter has two fields: the
// word that is chosen, and the day that the visitor enters instead.
func DateOf(q url.Values) string { return cmp.Or(q.Get("day"), q.Get("date")) }

// IsEmpty reports whether all events match the filter.
func (f Filter) IsEmpty() bool { return f == Filter{Zone: f.Zone} }

// on returns the address of the list with another date.
func (f Filter) on(date string) templ.SafeURL {
	if f.Date = date; date == "" {
		f.Zone = ""
	}
	return f.address()
}

// anywhere returns the address of the list without a place.
func (f Filter) anywhere() templ.SafeURL {
	f.City, f.Lat, f.Lng, f.Radius, f.Place = "", "", "", "", ""
	return f.address()
}

func (f Filter) address() templ.SafeURL {
	q := url.Values{}
	for _, field := range [...]struct{ name, value string }{
		{"q", f.Words}, {"city", f.City}, {"category", f.Category}, {"price", f.Price}, {"date", f.Date}, {"lat", f.Lat}, {"lng", f.Lng},
		{"radius_km", f.Radius}, {"place", f.Place}, {"tz", f.Zone},
	} {
		if field.value != "" {
			q.Set(field.name, field.value)
		}
	}
	if len(q) == 0 {
		return "/"
	}
	return templ.SafeURL("/?" + q.Encode())
}

// isArea reports whether the place of the filter is a point without a name.
func (f Filter) isArea() bool { return f.City == "" && f.Lat != "" && f.Lng != "" }

// hidden returns how many fields of the filter have a value that phones hide.
func (f Filter) hidden() (n int) {
	for _, used := range []bool{f.City != "" || f.Lat != "", dateOnly(f.Date) != "", f.Price != ""} {
		if used {
			n++
		}
	}
	return n
}

// usualRadius is how many km from a city its list reaches, unless the visitor chooses another distance.
const usualRadius = "25"

// radii returns the distances that the filter offers, in km.
func (f Filter) radii() []string {
	offered := []string{"10", usualRadius, "50", "100"}
	if f.Radius != "" && !slices.Contains(offered, f.Radius) {
		offered = append(offered, f.Radius)
	}
	return offered
}

// hasRadius reports whether a distance is that of the filter.
func (f Filter) hasRadius(km string) bool { return km == cmp.Or(f.Radius, usualRadius) }

// kinds returns the categories that the filter offers.
func (f Filter) kinds() []string {
	if isOther(f.Category) {
		return append([]string{f.Category}, categories...)
	}
	return categories
}

// hasKind reports whether a category is that of the filter.
func (f Filter) hasKind(category string) bool { return strings.EqualFold(f.Category, category) }

// Day is the events of one day.
type Day struct {
	At    time.Time // some time on the day
	Cards []gen.EventCard
}

// ByDay groups events, which are in the order of their start, by the local day of the start.
func ByDay(cards []gen.EventCard) []Day {
	var days []Day
	start := 0
	for i := range cards {
		at := In(cards[i].Event.StartsAt, cards[i].Event.Timezone)
		if last := len(days) - 1; last < 0 || !sameDay(days[last].At, at) {
			days, start = append(days, Day{At: at}), i
		}
		days[len(days)-1].Cards = cards[start : i+1]
	}
	return days
}

// fewSeats is the largest number of free seats that cards show.
const fewSeats = 10

// seatsLeft says how many seats an event has left, if these are few; otherwise it returns "".
func (p *Page) seatsLeft(c *gen.EventCard) string {
	seats, limited := c.SeatsLeft.Get()
	switch {
	case !limited || seats > fewSeats || c.Event.Status != gen.EventStatusPublished:
		return ""
	case seats == 0:
		return p.T("event.full")
	}
	return p.N("event.left", seats)
}

// dayID is the id of a day in the document.
func (d Day) dayID() string { return "day-" + d.At.Format(time.DateOnly) }
