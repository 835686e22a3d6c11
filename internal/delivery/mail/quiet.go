package mail

import "time"

// urgentBefore is the time before an event in which urgent kinds ignore quiet hours.
const urgentBefore = 12 * time.Hour

// wait returns the state in which a delivery waits that is not sent now, and until when: inDigest for the digest, or
// waiting for the end of quiet hours. It returns sending if the delivery need not wait.
func (f candidate) wait(one delivery, now time.Time, timezone string) (as state, until time.Time) {
	p, zone := policyOf[one.kind], f.location(timezone)
	if one.kind != AppointmentKind && f.modeOf(p, one.channel) == Digest {
		return inDigest, f.nextDigest(now, zone)
	}
	until, quiet := f.quietUntil(now, zone)
	if !quiet || p.security || p.urgent && f.startsAt != nil && f.startsAt.Before(now.Add(urgentBefore)) {
		return sending, now
	}
	return waiting, until
}

// quietUntil returns the end of the quiet hours that contain now; false if there are none. Quiet
// hours whose end is before their beginning pass midnight.
func (s settings) quietUntil(now time.Time, zone *time.Location) (time.Time, bool) {
	if s.quietFrom == nil {
		return time.Time{}, false
	}
	local := now.In(zone)
	for day := -1; day <= 0; day++ {
		from := minutesAfterMidnight(local, day, *s.quietFrom)
		to := minutesAfterMidnight(local, day, *s.quietTo)
		if *s.quietTo < *s.quietFrom {
			to = minutesAfterMidnight(local, day+1, *s.quietTo)
		}
		if !now.Before(from) && now.Before(to) {
			return to.UTC(), true
		}
	}
	return time.Time{}, false
}

// nextDigest returns the next time of a digest after now.
func (s settings) nextDigest(now time.Time, zone *time.Location) time.Time {
	when := s.digest()
	local := now.In(zone)
	for day := 0; ; day++ {
		at := minutesAfterMidnight(local, day, when.Hour*60)
		weekday := (int(at.Weekday())+6)%7 + 1 // Monday is 1
		for _, wanted := range when.Weekdays {
			if wanted == weekday && at.After(now) {
				return at.UTC()
			}
		}
	}
}

// minutesAfterMidnight returns the local time that is some minutes after midnight, some days after the
// day of local. If a clock change repeats that time, it returns the first one. If a clock change skips
// that time, it returns the time of the change.
func minutesAfterMidnight(local time.Time, days, minutes int) time.Time {
	year, month, day := local.Date()
	wanted := time.Date(year, month, day+days, 0, minutes, 0, 0, time.UTC)
	at := time.Date(year, month, day+days, 0, minutes, 0, 0, local.Location())
	start, end := at.ZoneBounds()
	switch shown := clock(at); {
	case shown.Before(wanted):
		return end
	case shown.After(wanted):
		return start
	case start.IsZero():
		return at
	}
	_, before := start.Add(-time.Second).Zone()
	_, after := at.Zone()
	if first := at.Add(-time.Duration(before-after) * time.Second); first.Before(start) && before > after {
		return first
	}
	return at
}

// clock returns the local date and time as a time in UTC.
func clock(at time.Time) time.Time {
	year, month, day := at.Date()
	return time.Date(year, month, day, at.Hour(), at.Minute(), 0, 0, time.UTC)
}

// location returns the user's zone, or the fallback.
func (s settings) location(fallback string) *time.Location {
	name := fallback
	if s.timezone != nil {
		name = *s.timezone
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC // the database of time zones has changed
	}
	return zone
}
