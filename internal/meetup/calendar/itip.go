package calendar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ical"
)

// Method is the method of a calendar message (RFC 5546 §1.4).
type Method string

// The methods that are sent.
const (
	Request Method = "REQUEST" // adds the event to a calendar, or changes it there
	Cancel  Method = "CANCEL"  // removes the event
)

// Appointment is an event as the calendar program of one user learns it by messages
// (iTIP, RFC 5546).
type Appointment struct {
	Event    domain.EventID
	Hidden   bool      // the user does not see the event; only Event is known
	Sequence int64     // of the event: the least of a message
	PartStat string    // RFC 5545 §3.2.12; empty: the user does not attend
	Title    string    // of the event
	StartsAt time.Time // of the event
	Timezone string    // IANA zone
	Location *string   // of the event
	Address  address.Event
	item     item
}

var appointmentStmt = db.SQL("calendar.appointment", eventItemSQL(`, COALESCE(p.status = 'going', FALSE), COALESCE(i.status, '')`))

// ReadAppointment returns what a user may know of an event now.
func ReadAppointment(ctx context.Context, q db.Querier, user domain.UserID, event domain.EventID) (Appointment, error) {
	a := Appointment{Event: event}
	var changes [4]*time.Time
	var going bool
	var answer access.Invitation
	found, err := q.One(ctx, appointmentStmt, user, event).Find(append(a.item.columns(&changes), &going, &answer)...)
	if err != nil || !found {
		a.Hidden = true
		return a, err
	}
	a.Sequence, a.Title, a.StartsAt, a.Timezone, a.Location = a.item.sequence, a.item.Title, a.item.StartsAt, a.item.Timezone,
		a.item.LocationText
	a.PartStat, a.Address = partStat(going, answer), a.item.address()
	return a, nil
}

// partStat returns the participation status of a user; empty if they do not attend.
func partStat(going bool, answer access.Invitation) string {
	switch {
	case going:
		return "ACCEPTED"
	case answer == access.Tentative:
		return "TENTATIVE"
	case answer == access.Pending:
		return "NEEDS-ACTION"
	}
	return ""
}

// Method returns Request while the event belongs in the user's calendar.
func (a Appointment) Method() Method {
	if a.PartStat == "" || a.item.canceled {
		return Cancel
	}
	return Request
}

// Undecided reports whether the event is a draft, or its date is voted on.
func (a Appointment) Undecided() bool { return a.item.Status() == Tentative }

// Version is equal for messages with the same content for a calendar program: the time, the place,
// the title and the user's answer. It is empty for Cancel.
func (a Appointment) Version() string {
	if a.Method() == Cancel {
		return ""
	}
	i := a.item
	told, _ := json.Marshal([]any{a.PartStat, i.Status(), i.Title, i.StartsAt.UnixMicro(), i.overAt.UnixMicro(), i.Timezone, i.location(),
		i.lat, i.lng, i.conference}) // plain values
	sum := sha256.Sum256(told)
	return hex.EncodeToString(sum[:16])
}

// Envelope is what a message says besides the event.
type Envelope struct {
	Organizer string // address of the sender of the mail
	Name      string // of the sender
	Attendee  string // address of the user
	Sequence  int64
	At        time.Time // of the message
	Pages     address.Pages
}

// Message returns a calendar message to one user (RFC 5546 §3.2). It names no other user: the
// organizer is the service.
func (a Appointment) Message(e Envelope) []byte {
	var w writer
	w.Begin()
	w.Line("METHOD", string(a.Method()))
	w.Line("BEGIN", "VEVENT")
	w.Line("UID", a.Event.String()) // as in feeds
	w.Line("SEQUENCE", fmt.Sprint(e.Sequence))
	w.Instant("DTSTAMP", e.At)
	status := a.item.Status()
	if a.Method() == Cancel {
		status = Canceled
	}
	w.Line("STATUS", statuses[status])
	if !a.Hidden {
		w.times(a.item)
		w.details(a.item, e.Pages)
	}
	w.Line("ORGANIZER"+parameter("CN", e.Name), mailto(e.Organizer))
	attendee := "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;RSVP=FALSE" // answers are given in the app
	if a.PartStat != "" {
		attendee += ";PARTSTAT=" + a.PartStat
	}
	w.Line(attendee, mailto(e.Attendee))
	w.Line("END", "VEVENT")
	return w.End()
}

// parameter returns a parameter with a quoted value (RFC 5545 §3.2); nothing if it is empty.
func parameter(name, value string) string {
	value = strings.ReplaceAll(ical.WithoutControls(value), `"`, "'")
	if value == "" {
		return ""
	}
	return ";" + name + `="` + value + `"`
}

// mailto returns the URI of an address (RFC 6068).
func mailto(address string) string {
	at := strings.LastIndexByte(address, '@')
	return "mailto:" + url.PathEscape(address[:at]) + address[at:]
}
