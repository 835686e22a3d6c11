package delivery_test

import (
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"

	"moothall/internal/test/apptest"
)

// told is a notification mail with what its calendar message says, if it has one.
type told struct {
	Subject, Kind, ID string
	Text              string // of the plain part

	Method, UID, Summary, Location, PartStat string
	Sequence                                 int
	Start                                    time.Time
	Object                                   string // iCalendar
}

// sign is short for the kind of a mail and its calendar message: + adds or changes the event,
// - removes it.
func (m told) sign() string { return strings.TrimPrefix(m.Kind, "event-") + methodSigns[m.Method] }

var methodSigns = map[string]string{"REQUEST": "+", "CANCEL": "-"}

// toldTo returns the notification mails to a user in the order in which the server accepted them.
func toldTo(t *testing.T, m *apptest.MailServer, name string) (all []told) {
	t.Helper()
	for _, mail := range m.Received() {
		if mail.To == apptest.Email(name) && strings.Contains(mail.Text, "List-Id") {
			all = append(all, parseTold(t, mail))
		}
	}
	return all
}

// parseTold parses a mail. It checks the form that calendar programs need (RFC 6047), and that
// the message names nobody but its recipient and the service.
func parseTold(t *testing.T, source apptest.ReceivedMail) (m told) {
	t.Helper()
	parsed, err := netmail.ReadMessage(strings.NewReader(source.Text))
	if err != nil {
		t.Fatal(err)
	}
	m.ID = parsed.Header.Get("Message-Id")
	m.Subject, _ = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	m.Kind, _, _ = strings.Cut(strings.Trim(parsed.Header.Get("List-Id"), "<>"), ".")
	parts := partsOf(t, parsed.Header.Get("Content-Type"), parsed.Body)
	m.Text = parts[0].body
	var kinds []string
	for _, p := range parts {
		kinds = append(kinds, p.kind)
	}
	if len(parts) == 2 {
		return m
	}
	if got := strings.Join(kinds, " "); got != "text/plain text/html text/calendar application/ics" || parts[2].body != parts[3].body {
		t.Errorf("the parts are %s", got)
	}
	m.Object, m.Method = parts[2].body, parts[2].params["method"]
	calendar, err := ical.NewDecoder(strings.NewReader(m.Object)).Decode()
	if err != nil {
		t.Fatalf("%v: %s", err, m.Object)
	}
	if method, _ := calendar.Props.Text("METHOD"); method != m.Method || parts[2].params["charset"] != "UTF-8" {
		t.Errorf("method %s in a part %v", method, parts[2].params)
	}
	event := calendar.Children[0].Props
	m.UID, _ = event.Text("UID")
	m.Summary, _ = event.Text("SUMMARY")
	m.Location, _ = event.Text("LOCATION")
	m.Start, _ = event.DateTime("DTSTART", time.UTC)
	m.Sequence, _ = event.Get("SEQUENCE").Int()
	attendees := event.Values("ATTENDEE")
	m.PartStat = attendees[0].Params.Get("PARTSTAT")
	if len(calendar.Children) != 1 || len(attendees) != 1 || attendees[0].Value != "mailto:"+source.To ||
		event.Get("ORGANIZER").Value != "mailto:no-reply@example.org" {
		t.Errorf("the message is %s", m.Object)
	}
	return m
}

type mailPart struct {
	kind, body string
	params     map[string]string
}

// partsOf returns the leaves of a mail.
func partsOf(t *testing.T, contentType string, body io.Reader) (all []mailPart) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		t.Fatalf("%s: %v", contentType, err)
	}
	reader := multipart.NewReader(body, params["boundary"])
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		kind, params, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(kind, "multipart/") {
			all = append(all, partsOf(t, part.Header.Get("Content-Type"), part)...)
			continue
		}
		all = append(all, mailPart{kind, decoded(t, part), params})
	}
}

// decoded returns the text of a part; multipart decodes quoted-printable itself.
func decoded(t *testing.T, part *multipart.Part) string {
	t.Helper()
	var from io.Reader = part
	if part.Header.Get("Content-Transfer-Encoding") == "base64" {
		from = base64.NewDecoder(base64.StdEncoding, part)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// signs returns the signs of mails.
func signs(all []told) string {
	var found []string
	for _, m := range all {
		found = append(found, m.sign())
	}
	return strings.Join(found, " ")
}

// summary returns the calendar messages among mails, + for a request and - for a cancellation, and
// the other kinds in alphabetical order. Two mails that are due at the same time come in any
// order, and either has the message.
func summary(all []told) string {
	var messages string
	var kinds []string
	for _, m := range all {
		messages += methodSigns[m.Method]
		if m.Kind != "event-calendar" {
			kinds = append(kinds, strings.TrimPrefix(m.Kind, "event-"))
		}
	}
	slices.Sort(kinds)
	return strings.TrimSpace(messages + " " + strings.Join(kinds, " "))
}

// wantRising checks that the sequence of a user's messages about an event never falls, and is a new
// one for each.
func wantRising(t *testing.T, who string, all []told) {
	t.Helper()
	latest := map[string]int{}
	for _, m := range all {
		if m.Method == "" {
			continue
		}
		if before, known := latest[m.UID]; known && m.Sequence <= before {
			t.Errorf("%s: sequence %d after %d", who, m.Sequence, before)
		}
		latest[m.UID] = m.Sequence
	}
}
