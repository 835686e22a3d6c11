package notify

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"
)

// when renders the start in the time zone of the appointment, and the location.
func (l Language) when(a appointment) string {
	at := a.startsAt.In(loadZone(*a.zone))
	data := templateData{
		Day: at.Day(), Month: l.message("month."+strconv.Itoa(int(at.Month())), nil), Year: at.Year(),
		Clock: l.Clock(at), Zone: *a.zone, Where: deref(a.location),
	}
	if l.zone != "" {
		if yours := l.Clock(at.In(loadZone(l.zone))); yours != data.Clock {
			data.Yours = yours
		}
	}
	if a.allDay {
		return l.message("when.all_day", data)
	}
	return l.message("when", data)
}

// until says when an offer ends, in the time zone of the event; "" if this is unknown.
func (l Language) until(n *stored) string {
	var params map[string]string
	_ = json.Unmarshal([]byte(n.params), &params) // written by Notification.args
	end, err := time.Parse(time.RFC3339, params[UntilParam])
	if err != nil || n.event.zone == nil {
		return ""
	}
	at := end.In(loadZone(*n.event.zone))
	return l.message("body.until", templateData{Day: at.Day(), Month: l.message("month."+strconv.Itoa(int(at.Month())), nil),
		Clock: l.Clock(at), Zone: *n.event.zone})
}

// zones caches time zones, because loading one per event costs more than the rest of
// the rendering.
var zones sync.Map // *time.Location by name

func loadZone(name string) *time.Location {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC // the zone was valid when the event was saved, and was removed since
	}
	zones.Store(name, zone)
	return zone
}

// Date is the day on which an event begins, in its time zone and in the reader's language.
type Date struct{ Weekday, Day, Month string } // the names are short

// date returns the day of an appointment.
func (l Language) date(a appointment) *Date {
	at := a.startsAt.In(loadZone(*a.zone))
	return &Date{l.name("weekdays_short", int(at.Weekday())), strconv.Itoa(at.Day()), l.name("months_short", int(at.Month())-1)}
}

// name returns a word of a message that lists names.
func (l Language) name(list string, index int) string {
	return strings.Fields(l.message(list, nil))[index]
}

// soon renders the start of an appointment for a reader in the days before: "Tomorrow, 19:00".
func (l Language) soon(a appointment, now time.Time) string {
	at := a.startsAt.In(loadZone(*a.zone))
	data := templateData{
		Day: at.Day(), Month: l.message("month."+strconv.Itoa(int(at.Month())), nil), Clock: l.Clock(at),
		Weekday: l.name("weekdays", int(at.Weekday())),
	}
	switch days := midnight(at).Sub(midnight(now.In(at.Location()))) / (24 * time.Hour); {
	case days == 0:
		return l.message("soon.today", data)
	case days == 1:
		return l.message("soon.tomorrow", data)
	case 1 < days && days < 7:
		return l.message("soon.weekday", data)
	default:
		return l.message("soon.later", data)
	}
}

// midnight returns the begin of a day, as if all days had 24 hours.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
