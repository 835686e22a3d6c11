package delivery_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestCalendarFollowsTheEvent makes one change after the other. Each guest gets
// one calendar message about each change, with its mail or alone.
func TestCalendarFollowsTheEvent(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, ann := a.As("org"), a.As("ann")
		start := apptest.Today.Add(72 * time.Hour)
		event := org.Publish(apptest.Fields{"title": "Chess", "starts_at": start, "location_text": "Park"})
		path := "/events/" + event
		seen := 0
		for _, step := range []struct {
			name     string
			do       func()
			sign     string
			subject  string
			start    time.Duration
			location string
		}{
			{"join", func() { ann.Join(event) }, "calendar+", "You are going to “Chess”", 0, "Park"},
			{"join again", func() { ann.Join(event) }, "", "", 0, ""},
			{"another time", func() { org.Patch(path, apptest.Fields{"starts_at": start.Add(time.Hour)}).Want(200) }, "updated+", "New time or place: “Chess”", time.Hour, "Park"},
			{"another place", func() { org.Patch(path, apptest.Fields{"location_text": "Café"}).Want(200) }, "updated+", "New time or place: “Chess”", time.Hour, "Café"},
			{"another zone", func() { org.Patch(path, apptest.Fields{"timezone": "Asia/Tokyo"}).Want(200) }, "updated+", "New time or place: “Chess”", time.Hour, "Café"},
			{"another description", func() { org.Patch(path, apptest.Fields{"description": "Bring a board"}).Want(200) }, "", "", 0, ""},
			{"incognito", func() { ann.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200) }, "", "", 0, ""},
			{"leave", func() { ann.Delete(path + "/join").Want(200) }, "calendar-", "No longer in your calendar: “Chess”", time.Hour, "Café"},
			{"leave again", func() { ann.Delete(path + "/join").Want(200) }, "", "", 0, ""},
			{"return", func() { ann.Join(event) }, "calendar+", "You are going to “Chess”", time.Hour, "Café"},
			{"cancel", func() { org.Post(path+"/cancel", apptest.Fields{"message": "The hall is flooded."}).Want(200) }, "canceled-", "Canceled: “Chess”", time.Hour, "Café"},
		} {
			step.do()
			a.RunJobs()
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
			all := toldTo(t, m, "ann")
			wantRising(t, step.name, all)
			got := all[seen:]
			seen = len(all)
			if signs(got) != step.sign {
				t.Errorf("%s: %s", step.name, signs(got))
				continue
			}
			if step.sign == "" {
				continue
			}
			if is := got[0]; is.Subject != step.subject || is.UID != event || is.Summary != "Chess" || !is.Start.Equal(start.Add(step.start)) ||
				is.Location != step.location {
				t.Errorf("%s: %+v", step.name, is)
			}
		}
		if all := toldTo(t, m, "ann"); !strings.Contains(all[len(all)-1].Text, "The hall is flooded.") {
			t.Errorf("no message of the organizer: %s", all[len(all)-1].Text)
		}
		if feed := string(a.Anonymous().Get(path + "/calendar.ics").Want(200).Body); !strings.Contains(feed, "\r\nUID:"+event+"\r\n") {
			t.Error("the file of the event has another UID")
		}
		if got := toldTo(t, m, "org"); strings.Contains(signs(got), "+") || strings.Contains(signs(got), "-") {
			t.Errorf("to the organizer: %s", signs(got))
		}
	})
}

// TestCalendarOfInvited follows the answers to an invitation.
func TestCalendarOfInvited(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, ann := a.As("org"), a.As("ann")
		ann.Get("/me").Want(200)
		event := org.Publish(apptest.Fields{"title": "Chess", "visibility": "private"})
		rsvp := func(status string) func() {
			return func() { ann.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": status}).Want(200) }
		}
		seen := 0
		for _, step := range []struct {
			name           string
			do             func()
			sign, partStat string
		}{
			{"invited", func() {
				org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(201)
			}, "invitation+", "NEEDS-ACTION"},
			{"tentative", rsvp("tentative"), "calendar+", "TENTATIVE"},
			{"accepted", rsvp("accepted"), "calendar+", "ACCEPTED"},
			{"declined", rsvp("declined"), "calendar-", ""},
			{"tentative again", rsvp("tentative"), "calendar+", "TENTATIVE"},
		} {
			step.do()
			a.RunJobs()
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
			all := toldTo(t, m, "ann")
			wantRising(t, step.name, all)
			got := all[seen:]
			seen = len(all)
			if signs(got) != step.sign || got[0].PartStat != step.partStat {
				t.Errorf("%s: %s %+v", step.name, signs(got), got)
			}
		}
	})
}

// TestCalendarAfterBlock removes an event from the calendar of a user who sees it no longer, and
// says nothing about it.
func TestCalendarAfterBlock(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"title": "Secret chess", "location_text": "Hideout"})
		for _, name := range []string{"ann", "ben"} {
			a.As(name).Join(event)
		}
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		org.Block(a.As("ann"))
		a.As("ben").Block(org)
		late := org.Publish(apptest.Fields{"title": "Secret chess"})
		a.As("cora").Join(late)
		org.Block(a.As("cora"))
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		for _, name := range []string{"ann", "ben"} {
			got := toldTo(t, m, name)
			wantRising(t, name, got)
			if signs(got) != "calendar+ calendar-" {
				t.Errorf("%s: %s", name, signs(got))
				continue
			}
			is := got[1]
			for _, hidden := range []string{"Secret", "Hideout", "20260605"} {
				if strings.Contains(is.Subject+is.Text+is.Object, hidden) {
					t.Errorf("%s: %s in %s\n%s\n%s", name, hidden, is.Subject, is.Text, is.Object)
				}
			}
		}
		if got := toldTo(t, m, "cora"); len(got) != 0 {
			t.Errorf("to a user who was told nothing: %s", signs(got))
		}
	})
}

// TestCalendarPreferences changes an event that is in calendars. Participants who get no mail
// about it get the calendar message alone.
func TestCalendarPreferences(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := org.Publish(nil)
		path := "/events/" + event
		rows := []struct {
			name string
			do   func(c *apptest.Client)
			want string
		}{
			{"default", func(*apptest.Client) {}, "calendar+ updated+"},
			{"no-updates", func(c *apptest.Client) { c.Patch(preferencesPath, rule("event_updated", "email", "off")).Want(200) }, "calendar+ calendar+"},
			{"no-calendar", func(c *apptest.Client) { c.Patch(preferencesPath, rule("event_calendar", "email", "off")).Want(200) }, "updated"},
			{"neither", func(c *apptest.Client) {
				c.Patch(preferencesPath, rule("event_updated", "email", "off")).Want(200)
				c.Patch(preferencesPath, rule("event_calendar", "email", "off")).Want(200)
			}, ""},
			{"muted", func(c *apptest.Client) { c.Put(path+"/mute", nil).Want(200) }, ""},
			{"quiet", func(c *apptest.Client) {
				c.Patch(preferencesPath, apptest.Fields{"quiet_hours": apptest.Fields{"from": "11:00", "to": "13:00"}}).Want(200)
			}, ""},
		}
		for _, row := range rows {
			c := a.As(row.name)
			row.do(c)
			c.Join(event)
		}
		reader := a.As("reader")
		reader.Join(event)
		run := func(after time.Duration) {
			a.RunJobs()
			a.Clock.Advance(after)
			a.RunJobs()
		}
		run(2 * time.Minute)
		org.Patch(path, apptest.Fields{"location_text": "Elsewhere"}).Want(200)
		a.RunJobs()
		reader.Post("/notifications/read-all", nil).Want(200)
		run(2 * time.Minute)
		for _, row := range rows {
			if got := signs(toldTo(t, m, row.name)); got != row.want {
				t.Errorf("%s: %s", row.name, got)
			}
		}
		if got := signs(toldTo(t, m, "reader")); got != "calendar+ calendar+" {
			t.Errorf("read in the app: %s", got)
		}
		run(time.Hour)
		run(time.Minute)
		if got := summary(toldTo(t, m, "quiet")); got != "+ updated" {
			t.Errorf("after the quiet hours: %s", got)
		}
		a.As("default").Patch(preferencesPath, rule("event_calendar", "push", "instant")).WantError(400, "invalid_request")
		a.As("default").Patch(preferencesPath, rule("event_calendar", "email", "digest")).WantError(400, "invalid_request")
	})
}

// TestCalendarMessageIsRepeated sends a message that the server refuses again, with the same
// sequence.
func TestCalendarMessageIsRepeated(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		ann.Join(event)
		a.RunJobs()
		m.Refuse(&smtp.SMTPError{Code: 451, Message: "try later"})
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		m.Refuse(nil)
		a.Clock.Advance(time.Minute)
		a.RunJobs()
		if got := toldTo(t, m, "ann"); signs(got) != "calendar+" || got[0].Sequence != 0 {
			t.Errorf("%+v", got)
		}
	})
}

var unknownStmt = db.SQL("deliver_test.unknown", `UPDATE calendar_mails SET sent = FALSE`)

var diedAppointmentStmt = db.SQL("deliver_test.died_appointment", `
	UPDATE deliveries SET state = 'sending', ended_at = NULL, lease = user_id, due_at = $1 WHERE kind = 'event_calendar'`)

// TestCalendarMessageOfDeadProcessIsRepeated ends the process after the server accepted a message and
// before that was recorded. The message comes again with the same sequence; if the user has left
// meanwhile, its end comes with a higher one.
func TestCalendarMessageOfDeadProcessIsRepeated(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		event := a.As("org").Publish(nil)
		for _, name := range []string{"ann", "ben"} {
			a.As(name).Join(event)
		}
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		a.Exec(unknownStmt)
		a.Exec(diedAppointmentStmt, a.Clock.Now().Add(2*time.Minute))
		a.As("ben").Delete("/events/" + event + "/join").Want(200)
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if got := toldTo(t, m, "ann"); signs(got) != "calendar+ calendar+" || got[0].Sequence != got[1].Sequence || got[0].ID != got[1].ID {
			t.Errorf("ann: %+v", got)
		}
		if got := toldTo(t, m, "ben"); signs(got) != "calendar+ calendar-" || got[1].Sequence <= got[0].Sequence {
			t.Errorf("ben: %+v", got)
		}
		testutil.Fault(t, "process dies before a calendar message is recorded",
			"the message came twice with sequence 0 and the same Message-ID; CANCEL had a higher sequence")
	})
}

// TestCalendarSequenceRises changes an event and its guests quickly on two instances. Each guest gets
// messages with rising sequences; the last one has the final state. LONG_TESTS has 40 guests and 30
// rounds.
func TestCalendarSequenceRises(t *testing.T) {
	guests, rounds := 6, 5
	if testutil.Long() {
		guests, rounds = 40, 30
	}
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		start := apptest.Today.Add(72 * time.Hour)
		event := org.Publish(apptest.Fields{"starts_at": start})
		path := "/events/" + event
		var all []*apptest.Client
		for i := range guests {
			guest := a.As(fmt.Sprint("guest", i))
			guest.Join(event)
			all = append(all, guest)
		}
		for round := range rounds {
			var wait sync.WaitGroup
			for i, guest := range all {
				wait.Go(func() {
					if (i+round)%3 == 0 {
						guest.Delete(path + "/join").Want(200)
						guest.Post(path+"/join", nil).Want(200)
					}
				})
			}
			start = start.Add(time.Hour)
			org.Patch(path, apptest.Fields{"starts_at": start}).Want(200)
			wait.Wait()
			a.Clock.Advance(time.Duration(round%3) * time.Minute)
			a.RunJobs()
		}
		all[0].Delete(path + "/join").Want(200)
		for range 3 {
			a.RunJobs()
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
		}
		messages := 0
		for i := range guests {
			name := fmt.Sprint("guest", i)
			got := slices.DeleteFunc(toldTo(t, m, name), func(m told) bool { return m.Method == "" })
			wantRising(t, name, got)
			messages += len(got)
			if len(got) == 0 {
				t.Fatalf("%s was told nothing", name)
			}
			if last := got[len(got)-1]; i > 0 && (last.Method != "REQUEST" || !last.Start.Equal(start)) || i == 0 && last.Method != "CANCEL" {
				t.Errorf("%s: at last %+v", name, last)
			}
		}
		t.Logf("%d messages to %d guests about %d changes", messages, guests, rounds)
	}, apptest.Instances(2))
}

// TestCalendarMessagesAreParsedByOthers sends messages of events with hostile texts, and about
// somebody who comes incognito. With TEST_ICALENDAR, a Python with the package icalendar, a parser of
// another language reads them, too.
func TestCalendarMessagesAreParsedByOthers(t *testing.T) {
	m := apptest.NewMailServer(t, nil)
	a := apptest.New(t, db.SQLite, withServer(m)...)
	org, ann, hidden := a.As("org"), a.As("ann"), a.As("hidden")
	org.Patch("/me/profile", apptest.Fields{"display_name": "Olga Organizer"}).Want(200)
	var titles []string
	for _, text := range append([]string{"Chess, \"quoted\"; \\n BEGIN:VEVENT"}, hostile...) {
		body := apptest.Fields{"title": text, "location_text": text, "description": text + "\nEND:VCALENDAR", "starts_at": "2026-06-05T16:00:00Z"}
		reply := org.Post("/events", body)
		if reply.Status != 201 {
			continue // the service refuses control characters and long titles
		}
		event := reply.Text("event.id")
		org.Post("/events/"+event+"/publish", nil).Want(200)
		titles = append(titles, reply.Text("event.title"))
		ann.Join(event)
		hidden.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
	}
	a.RunJobs()
	a.Clock.Advance(2 * time.Minute)
	a.RunJobs()
	if len(titles) < 5 {
		t.Fatalf("only %d titles", len(titles))
	}
	var objects []string
	for _, name := range []string{"ann", "hidden"} {
		got := toldTo(t, m, name)
		if len(got) != len(titles) {
			t.Fatalf("%s: %d messages about %d events", name, len(got), len(titles))
		}
		for _, is := range got {
			if !slices.Contains(titles, is.Summary) || is.Location != is.Summary {
				t.Errorf("%s reads %q in %q", name, is.Summary, is.Location)
			}
			for _, person := range []string{"org@", "Olga", "ann", "hidden"} {
				if person != name && strings.Contains(strings.ToLower(is.Object+is.Text), strings.ToLower(person)) &&
					!strings.Contains(is.Summary, person) {
					t.Errorf("%s learns of %s: %s\n%s", name, person, is.Text, is.Object)
				}
			}
			objects = append(objects, is.Object)
		}
	}
	var sources []string
	for _, mail := range m.Received() {
		if strings.Contains(mail.Text, "List-Id") && !strings.Contains(mail.Text, "List-Id: <event-joined") {
			sources = append(sources, mail.Text)
		}
	}
	for i, is := range parseMails(t, sources) {
		if is.Attachments != 2 || !strings.HasPrefix(is.Subject, "You are going to") || is.Text == "" || strings.Contains(is.HTML, "<script") {
			t.Errorf("mailparser reads %+v in %s", is, sources[i])
		}
	}
	if python := os.Getenv("TEST_ICALENDAR"); python != "" {
		wantPython(t, python, objects, titles)
	}
}

// wantPython parses calendar messages with the package icalendar of Python.
func wantPython(t *testing.T, python string, objects, titles []string) {
	t.Helper()
	input, err := json.Marshal(objects)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), python, "testdata/icalendar/parse.py")
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var parsed []struct {
		Method, Summary, Location, Start, UID string
		Sequence, Events                      int
		Attendees, Errors                     []string
	}
	if err := json.Unmarshal(output, &parsed); err != nil || len(parsed) != len(objects) {
		t.Fatalf("%v: %s", err, output)
	}
	for i, is := range parsed {
		if is.Method != "REQUEST" || is.Events != 1 || len(is.Attendees) != 1 || len(is.Errors) != 0 || !slices.Contains(titles, is.Summary) ||
			is.Location != is.Summary ||
			is.Start != "2026-06-05T16:00:00+00:00" || is.UID == "" || is.Sequence != 0 {
			t.Errorf("Python reads %+v in %s", is, objects[i])
		}
	}
	t.Logf("Python has read %d messages", len(parsed))
}
