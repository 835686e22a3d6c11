package calendar

import "time"

// nextDay returns the first moment of the next day in a zone, 23 to 25 hours after
// the day began. This is not midnight if a clock change skips midnight.
func nextDay(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	next := time.Date(year, month, day+1, 0, 0, 0, 0, zone)
	if next.Day() == day { // still the same day, because the clock change skips 0:00
		_, next = next.ZoneBounds()
	}
	return next
}
