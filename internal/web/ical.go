package web

import (
	"fmt"
	"net/http"

	"moothall/api/gen"
	"moothall/internal/platform/ical"
)

// writeCalendar writes a feed as iCalendar. The UID of an event is that of all other calendars.
func (s *Site) writeCalendar(w http.ResponseWriter, name string, events []gen.EventCard) {
	var c ical.Writer
	c.Begin()
	c.Feed(name)
	for _, e := range events {
		writeCalendarEvent(&c, e)
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(c.End()) // fails only when the client is gone
}

func writeCalendarEvent(c *ical.Writer, card gen.EventCard) {
	e := card.Event
	c.Line("BEGIN", "VEVENT")
	c.Line("UID", e.ID.String())
	c.Instant("DTSTAMP", createdAt(card))
	c.Line("STATUS", calendarStatus(e))
	c.Instant("DTSTART", e.StartsAt)
	if !e.EndsAt.Null {
		c.Instant("DTEND", e.EndsAt.Value)
	}
	c.Text("SUMMARY", e.Title)
	c.Optional("LOCATION", card.Location.City.Value)
	if l := card.Location; !l.Lat.Null && !l.Lng.Null {
		c.Line("GEO", fmt.Sprintf("%.6f;%.6f", l.Lat.Value, l.Lng.Value))
	}
	c.Optional("CATEGORIES", e.Category.Value)
	c.Line("URL", e.ShareURL)
	c.Line("END", "VEVENT")
}

func calendarStatus(e gen.EventCore) string {
	switch {
	case e.Status == gen.EventStatusCanceled:
		return "CANCELLED"
	case e.DateMode == gen.EventDateModeVote:
		return "TENTATIVE"
	}
	return "CONFIRMED"
}
