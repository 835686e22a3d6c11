package meetup_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"

	"moothall/internal/domain"
	"moothall/internal/meetup/calendar"
	"moothall/internal/platform/db"
	encoder "moothall/internal/platform/ical"
	"moothall/internal/test/apptest"
)

// calendarHostile are titles, places and names that try to break out of their property.
var calendarHostile = []string{
	"Chess\r\nATTENDEE:mailto:thief@example.org",
	"Chess\nEND:VEVENT\nBEGIN:VEVENT",
	`Chess\nMETHOD:CANCEL`,
	`a;b,c:d"e\f`,
	`";X-EVIL="1`,
	"\u2028line\u2029paragraph\u0085next",
	"\x01\x07\x1b[31mred",
	strings.Repeat("ж", 200),
	strings.Repeat("👩‍👩‍👧‍👧", 30),
	strings.Repeat("e\u0301", 300),
	"\u202egnp.exe\u202c",
	" leading and trailing ",
}

// clean is a text without the characters that iCalendar does not allow.
func clean(s string) string {
	return encoder.WithoutControls(strings.NewReplacer("\r\n", "\x01", "\r", "\x01", "\n", "\x01").Replace(s))
}

var setTextsStmt = db.SQL("calendar_test.set_texts", `UPDATE events SET title = $2, location_text = $2, description = $2 WHERE id = $1`)

// TestMessageOfHostileTexts writes texts that another parser reads as they are. None adds a
// property, a parameter or an attendee. Ben attends the event, cora does not.
func TestMessageOfHostileTexts(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	ben, cora := a.As("ben"), a.As("cora")
	id := a.As("ann").Publish(nil)
	ben.Join(id)
	event, err := domain.ParseID[domain.EventKind](id)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range calendarHostile {
		if _, err := a.DB.Exec(t.Context(), setTextsStmt, event, text); err != nil {
			t.Fatal(err)
		}
		for user, want := range map[*apptest.Client]calendar.Method{ben: calendar.Request, cora: calendar.Cancel} {
			appointment, err := calendar.ReadAppointment(t.Context(), a.DB, user.ID(), event)
			if err != nil || appointment.Title != text {
				t.Fatalf("%q: %+v, %v", text, appointment, err)
			}
			object := appointment.Message(calendar.Envelope{Organizer: "no-reply@example.org", Name: text, Attendee: `o'neil+50%@example.org`,
				Sequence: 3, At: apptest.Today})
			for line := range strings.SplitSeq(strings.TrimSuffix(string(object), "\r\n"), "\r\n") {
				if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") {
					t.Errorf("%q: a line of %d bytes: %q", text, len(line), line)
				}
			}
			parsed, err := ical.NewDecoder(bytes.NewReader(object)).Decode()
			if err != nil {
				t.Errorf("%q: %v\n%s", text, err, object)
				continue
			}
			if method := parsed.Props.Get("METHOD").Value; method != string(want) || len(parsed.Children) != 1 {
				t.Errorf("%q: method %s, %d components", text, method, len(parsed.Children))
			}
			props := parsed.Children[0].Props
			for name, all := range props {
				if len(all) != 1 {
					t.Errorf("%q: %d times %s", text, len(all), name)
				}
			}
			for _, name := range []string{"SUMMARY", "LOCATION", "DESCRIPTION"} {
				if got, err := props.Text(name); err != nil || clean(got) != clean(text) {
					t.Errorf("%q: %s is %q, %v", text, name, got, err)
				}
			}
			if got := props.Get("ATTENDEE"); got.Value != "mailto:o%27neil+50%25@example.org" && got.Value != "mailto:o'neil+50%25@example.org" {
				t.Errorf("attendee %s", got.Value)
			}
			if got := props.Get("ORGANIZER"); got.Value != "mailto:no-reply@example.org" || len(got.Params) > 1 {
				t.Errorf("%q: organizer %+v", text, got)
			}
		}
	}
}

// TestHiddenAppointmentNamesOnlyTheEvent removes an event from a calendar without a word about it.
func TestHiddenAppointmentNamesOnlyTheEvent(t *testing.T) {
	event := domain.NewID[domain.EventKind](time.Now())
	object := calendar.Appointment{Event: event, Hidden: true}.Message(calendar.Envelope{Organizer: "no-reply@example.org",
		Attendee: "ann@example.org", Sequence: 2, At: time.Now()})
	parsed, err := ical.NewDecoder(bytes.NewReader(object)).Decode()
	if err != nil {
		t.Fatal(err)
	}
	for name := range parsed.Children[0].Props {
		switch name {
		case "UID", "SEQUENCE", "DTSTAMP", "STATUS", "ORGANIZER", "ATTENDEE":
		default:
			t.Errorf("the message has %s", name)
		}
	}
}
