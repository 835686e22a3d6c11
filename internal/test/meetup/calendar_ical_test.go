package meetup_test

import (
	"bytes"
	"encoding/json"
	osexec "os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// parsed is an event as another implementation parses it.
type parsed struct {
	UID         string  `json:"uid"`
	Sequence    int     `json:"sequence"`
	Status      string  `json:"status"`
	Summary     string  `json:"summary"`
	Description *string `json:"description"`
	Location    *string `json:"location"`
	URL         *string `json:"url"`
	Category    *string `json:"category"`
	Geo         []any   `json:"geo"`
	Stamp       string  `json:"stamp"`
	Modified    string  `json:"modified"`
	AllDay      bool    `json:"all_day"`
	Start       string  `json:"start"`
	End         *string `json:"end"`
	Wall        *string `json:"wall"` // local time at the start, by the zone database of ICU
}

// parse parses a calendar with the npm packages ical.js and node-ical, pinned in
// testdata/ical. It returns the events of each by UID.
func parse(t *testing.T, ics []byte, zones map[string]string) map[string]map[string]parsed {
	t.Helper()
	input, err := json.Marshal(map[string]any{"calendar": string(ics), "zones": zones})
	if err != nil {
		t.Fatal(err)
	}
	command := osexec.CommandContext(t.Context(), "node", "parse.mjs")
	command.Dir, command.Stdin = apptest.NodeProject(t, "testdata/ical"), bytes.NewReader(input)
	command.Env = append(command.Environ(), "TZ=UTC")
	var complaints strings.Builder
	command.Stderr = &complaints
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, complaints.String(), ics)
	}
	var lists map[string][]parsed
	if err := json.Unmarshal(output, &lists); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	found := map[string]map[string]parsed{}
	for parser, list := range lists {
		found[parser] = map[string]parsed{}
		for _, event := range list {
			found[parser][event.UID] = event
		}
	}
	return found
}

// wellFormed checks the lines by RFC 5545 §3.1.
func wellFormed(t *testing.T, ics []byte) {
	t.Helper()
	if !bytes.HasSuffix(ics, []byte("END:VCALENDAR\r\n")) {
		t.Errorf("the calendar ends with %q", ics[max(0, len(ics)-30):])
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(ics), "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !utf8.ValidString(line) {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
}

// calendarText returns an optional text.
func calendarText(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestEventCalendarIsParsedByOthers uses texts with every character that needs escaping.
func TestEventCalendarIsParsedByOthers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		title := `Chess; "blitz", ` + strings.Repeat("👩‍👩‍👧‍👦", 9) + ` שלום \x ` + strings.Repeat("ä", 30)
		description := "First, second; third\\fourth\n" + strings.Repeat("漢字かな交じり文", 30) + "\n\nEND:VEVENT\nمرحبا"
		event := org.Publish(apptest.Fields{"title": title, "description": description, "ends_at": "2026-06-05T19:30:00Z",
			"location_text": "Café, 2; Hof", "city": "Köln",
			"lat": 50.9375, "lng": 6.9603, "category": "games & boards", "conference_url": "https://meet.example/" + strings.Repeat("x", 100)})
		path := "/events/" + event + "/calendar.ics"
		ics := a.Anonymous().Get(path).Want(200)
		wellFormed(t, ics.Body)
		if got := ics.Header.Get("Content-Type"); got != "text/calendar" {
			t.Errorf("Content-Type %s", got)
		}
		if got := ics.Header.Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("Cache-Control %s", got)
		}
		for parser, events := range parse(t, ics.Body, nil) {
			e := events[event]
			if len(events) != 1 || e.Summary != title || calendarText(e.Description) != description ||
				calendarText(e.Location) != "Café, 2; Hof, Köln" || calendarText(e.Category) != "games & boards" {
				t.Errorf("%s reads %q, %q, %q, %q", parser, e.Summary, calendarText(e.Description), calendarText(e.Location), calendarText(e.Category))
			}
			if e.Status != "CONFIRMED" || e.Sequence != 0 || e.Start != "2026-06-05T16:00:00.000Z" ||
				calendarText(e.End) != "2026-06-05T19:30:00.000Z" || e.AllDay ||
				calendarText(e.URL) != org.Get("/events/"+event).Text("event.share_url") ||
				e.Stamp != "2026-06-01T12:00:00.000Z" || e.Stamp != e.Modified ||
				len(e.Geo) != 2 {
				t.Errorf("%s reads %+v", parser, e)
			}
		}

		for _, header := range []string{ics.Header.Get("ETag"), `"x", W/` + ics.Header.Get("ETag"), "*"} {
			same := a.Anonymous().With("If-None-Match", header).Get(path).Want(304)
			if len(same.Body) != 0 || same.Header.Get("ETag") != ics.Header.Get("ETag") {
				t.Errorf("unchanged: %q %s", same.Body, same.Header.Get("ETag"))
			}
		}
		a.Clock.Advance(time.Minute)
		org.Patch("/events/"+event, apptest.Fields{"starts_at": "2026-06-05T17:00:00Z", "ends_at": nil}).Want(200)
		moved := a.Anonymous().With("If-None-Match", ics.Header.Get("ETag")).Get(path).Want(200)
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		canceled := a.Anonymous().Get(path).Want(200)
		for parser, events := range parse(t, moved.Body, nil) {
			if e := events[event]; e.Sequence != 1 || e.Start != "2026-06-05T17:00:00.000Z" || calendarText(e.End) != "2026-06-05T20:00:00.000Z" ||
				e.Modified != "2026-06-01T12:01:00.000Z" {
				t.Errorf("moved, %s reads %+v", parser, e)
			}
		}
		for parser, events := range parse(t, canceled.Body, nil) {
			if e := events[event]; e.Sequence != 2 || e.Status != "CANCELLED" {
				t.Errorf("canceled, %s reads %+v", parser, e)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

func TestEventCalendarHidesWhatTheEventHides(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, stranger := a.As("org"), a.As("ann"), a.As("stranger")
		public := org.Publish(apptest.Fields{"conference_url": "https://meet.example/secret"})
		hidden, _ := invited(org, "ann")
		draft := org.Post("/events", apptest.Fields{"title": "Draft", "starts_at": "2026-06-05T16:00:00Z",
			"date_mode": "vote"}).Want(201).Text("event.id")
		path := func(event string) string { return "/events/" + event + "/calendar.ics" }
		before := stranger.Get(path(public)).Want(200)
		ann.Post("/events/"+public+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		after := stranger.Get(path(public)).Want(200)
		if !bytes.Equal(before.Body, after.Body) || before.Header.Get("ETag") != after.Header.Get("ETag") {
			t.Errorf("the stranger sees that a user joined: %s", after.Body)
		}
		for who, want := range map[*apptest.Client]bool{a.Anonymous(): false, stranger: false, ann: true, org: true} {
			if got := strings.Contains(string(who.Get(path(public)).Want(200).Body), "meet.example/secret"); got != want {
				t.Errorf("%s sees the conference link: %v", who.UserID, got)
			}
		}
		ann.Get(path(hidden)).Want(200)
		if got := org.Get(path(draft)).Want(200).Body; !strings.Contains(string(got), "STATUS:TENTATIVE") {
			t.Errorf("a draft: %s", got)
		}
		for _, event := range []string{hidden, draft, "01890a5d-ac96-774b-bcce-b302099a8057", "x"} {
			stranger.Get(path(event)).WantError(404, "not_found")
			a.Anonymous().Get(path(event)).WantError(404, "not_found")
		}
		org.Post("/users/"+stranger.UserID+"/block", nil).Want(200)
		stranger.Get(path(public)).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

func TestFeedFollowsCalendar(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		ann.Get("/calendar/feed").WantError(404, "not_found")
		made := ann.Post("/calendar/feed", nil).Want(201)
		address := made.Text("url")
		if got := ann.Get("/calendar/feed").Want(200); string(got.Body) != string(made.Body) {
			t.Errorf("created %s, then read %s", made.Body, got.Body)
		}
		empty := calendarRead(a, address).Want(200)
		wellFormed(t, empty.Body)

		event, called := org.Publish(nil), org.Publish(nil)
		perhaps, invites := invited(org, "ann")
		_, others := invited(org, "ann")
		own := dinner(ann, apptest.Fields{"notes": "Bring wine", "timezone": "Europe/Berlin"})
		day := dinner(ann, apptest.Fields{"starts_at": "2026-06-07T00:00:00+02:00", "all_day": true, "timezone": "Europe/Berlin"})
		a.Clock.Advance(time.Second) // so that this invite is the newest
		theirs := dinner(org, apptest.Fields{"notes": "a surprise"}, ann)
		ann.Patch("/calendar/invites/"+inviteOf(ann), apptest.Fields{"status": "accepted"}).Want(200)
		ann.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		ann.Post("/events/"+called+"/join", nil).Want(200)
		org.Post("/events/"+called+"/cancel", nil).Want(200)
		ann.Patch("/calendar/invites/"+invites[0], apptest.Fields{"status": "tentative"}).Want(200)
		ann.Patch("/calendar/invites/"+others[0], apptest.Fields{"status": "declined"}).Want(200)
		ann.Delete("/calendar/entries/" + dinner(ann, nil)).Want(200)
		ann.Patch("/calendar/entries/"+event, apptest.Fields{"notes": "with Bob"}).Want(200)

		feed := calendarRead(a, address).Want(200)
		wellFormed(t, feed.Body)
		want := map[string]string{event: "CONFIRMED", called: "CANCELLED", perhaps: "TENTATIVE", own: "CONFIRMED", day: "CONFIRMED",
			theirs: "CONFIRMED"}
		for parser, events := range parse(t, feed.Body, nil) {
			for uid, status := range want {
				if events[uid].Status != status {
					t.Errorf("%s reads %s as %+v, want %s", parser, uid, events[uid], status)
				}
			}
			canceledOwn := 1 // entries that the user canceled themselves
			if len(events) != len(want)+canceledOwn {
				t.Errorf("%s reads %d events: %s", parser, len(events), feed.Body)
			}
			if e := events[day]; !e.AllDay || e.Start != "2026-06-07" || calendarText(e.End) != "2026-06-08" {
				t.Errorf("%s reads the day as %+v", parser, e)
			}
			if calendarText(events[own].Description) != "Bring wine" || calendarText(events[event].Description) != "with Bob" ||
				events[theirs].Description != nil {
				t.Errorf("%s reads the notes as %+v", parser, events)
			}
		}
		if again := calendarRead(a, address); !bytes.Equal(again.Body, feed.Body) || again.Header.Get("ETag") != feed.Header.Get("ETag") {
			t.Error("the feed changed without a change of the calendar")
		}
		if strings.Contains(a.Log(), strings.TrimSuffix(address[strings.LastIndex(address, "/")+1:], ".ics")) {
			t.Error("the log contains the secret")
		}

		next := ann.Post("/calendar/feed", nil).Want(201).Text("url")
		calendarRead(a, address).WantError(404, "not_found")
		calendarRead(a, next).Want(200)
		calendarRead(a, strings.TrimSuffix(next, ".ics")).WantError(404, "not_found")
		calendarRead(a, strings.Replace(next, ".ics", "A.ics", 1)).WantError(404, "not_found")
		calendarRead(a, regexp.MustCompile(`[^/]{4}\.ics$`).ReplaceAllString(next, "AAAA.ics")).WantError(404, "not_found")
		a.Exec(calendarSuspendStmt, ann.ID())
		calendarRead(a, next).WantError(404, "not_found")
		org.Delete("/calendar/feed").Want(204)
		last := org.Post("/calendar/feed", nil).Want(201).Text("url")
		org.Delete("/calendar/feed").Want(204)
		calendarRead(a, last).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

var calendarSuspendStmt = db.SQL("calendar_test.suspend", `UPDATE users SET suspended_at = 1 WHERE id = $1`)
