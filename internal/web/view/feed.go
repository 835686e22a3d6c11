package view

import (
	"strings"

	"moothall/api/gen"
)

// FeedData is what the feed shows.
type FeedData struct {
	Events      EventList
	Preferences gen.FeedPreferences
	Continues   bool // the list begins after the first events
}

// isNew reports whether the viewer has never said what they like.
func (d FeedData) isNew() bool { return d.Preferences.UpdatedAt.Null }

// value returns a preference as the form has it.
func (d FeedData) value(name string) string {
	switch f := d.Preferences; name {
	case "city":
		return f.City.Value
	case "categories":
		return strings.Join(f.Categories, ", ")
	case "muted_categories":
		return strings.Join(f.MutedCategories, ", ")
	case "lat":
		return decimal(f.Lat)
	case "lng":
		return decimal(f.Lng)
	case "radius_km":
		return decimal(f.RadiusKm)
	}
	return ""
}

// followed reports whether the box for followed users is ticked.
func (d FeedData) followed(p *Page) bool {
	if p.Form.Action == "setFeedPreferences" {
		return p.Form.Values.Has("include_followed")
	}
	return d.Preferences.IncludeFollowed
}

// reason says why the feed shows an event; "" if it has no reason.
func (p *Page) reason(c gen.FeedContext) string {
	if len(c.Reasons) == 0 {
		return ""
	}
	return p.T("feed.reason." + string(c.Reasons[0])) // "" for one that this version does not know
}
