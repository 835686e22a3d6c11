package meetup_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
)

// eachWithSources runs a test on every engine, each with an own calendar server.
func eachWithSources(t *testing.T, engines []db.Engine, test func(t *testing.T, a *apptest.App, s *calendarServer),
	options ...apptest.Option) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			s := newCalendarServer(t)
			test(t, apptest.New(t, engine, withSources(s, options...)...), s)
		})
	}
}

// TestCalendarBecomesEvents follows the events of a calendar from read to read.
func TestCalendarBecomesEvents(t *testing.T) {
	eachWithSources(t, dbtest.Engines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner, host := a.As("owner"), a.As("host")
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		tea, go1 := vevent("1", 3, "Tea"), vevent("2", 4, "Go", "DESCRIPTION:Bring tea.")
		s.serve(tea, go1, vevent("3", 5, "Off", "STATUS:CANCELLED"))
		subscribe(a, host, group)
		wantComing(t, a.Anonymous(), group, "Tea, Go")
		first := wantSource(t, host, group, "ok", nil)
		if first.Number("items.0.event_count") != 2 || first.Get("items.0.last_read_at") == nil {
			t.Errorf("after the first read: %s", first.Body)
		}
		path := "/events/" + host.Get(group+"/events").Want(200).Text("items.1.event.id")
		e := a.Anonymous().Get(path).Want(200)
		for field, want := range map[string]any{
			"event.source_host": "example.com", "event.external_url": "https://example.org/e/2", "event.description": "Bring tea.",
			"event.organizer_id": owner.UserID, "event.visibility": "public", "viewer_can_join": false, "group.id": idOf(group),
		} {
			if e.Get(field) != want {
				t.Errorf("%s: %v, want %v", field, e.Get(field), want)
			}
		}
		listed := a.Anonymous().Get("/events?group_id=" + idOf(group)).Want(200)
		if listed.Len("items") != 2 || listed.Text("items.0.event.source_host") != "example.com" {
			t.Errorf("the list has %s", listed.Body)
		}

		readAgain(a) // 304
		readAgain(a)
		if got := a.Anonymous().Get(path).Want(200); got.Text("event.updated_at") != e.Text("event.updated_at") {
			t.Error("an unchanged calendar changes an event")
		}
		s.serve(tea, strings.Replace(go1, "SUMMARY:Go", "SUMMARY:Go again", 1))
		readAgain(a)
		wantComing(t, a.Anonymous(), group, "Tea, Go again")
		s.serve(tea)
		readAgain(a)
		wantComing(t, a.Anonymous(), group, "Tea, Go again") // it is gone once
		readAgain(a)
		wantComing(t, a.Anonymous(), group, "Tea, Go again (canceled)") // and twice: 304 counts
		s.serve(vevent("1", 3, "Tea", "STATUS:CANCELLED"), go1)
		readAgain(a)
		wantComing(t, a.Anonymous(), group, "Tea (canceled), Go, Go again (canceled)") // it is back
		readAgain(a)
		wantSource(t, host, group, "ok", nil)
		wantComing(t, a.Anonymous(), group, "Tea (canceled), Go, Go again (canceled)")
	})
}

// TestCalendarIsReadFullyEachDay checks that repeated events get new dates although the calendar does not change.
func TestCalendarIsReadFullyEachDay(t *testing.T) {
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner := a.As("owner")
		group := found(owner, nil)
		s.serve(vevent("1", 3, "Tea", "RRULE:FREQ=WEEKLY"))
		subscribe(a, owner, group)
		before := owner.Get(group + "/sources").Want(200).Number("items.0.event_count")
		a.Clock.Advance(14 * 24 * time.Hour)
		a.RunJobs()
		owner = a.SignIn(apptest.Email("owner"))
		if after := owner.Get(group + "/sources").Want(200).Number("items.0.event_count"); after != before || before < 50 {
			t.Errorf("%v dates, then %v", before, after)
		}
	})
}

// TestEventsOfCalendarsAreReadOnly checks that nobody joins or changes them here, with the reason.
func TestEventsOfCalendarsAreReadOnly(t *testing.T) {
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner, guest, mod := a.As("owner"), a.As("guest"), a.As("mod")
		group := found(owner, nil)
		s.serve(vevent("1", 3, "Tea"))
		subscribe(a, owner, group)
		event := "/events/" + owner.Get(group+"/events").Want(200).Text("items.0.event.id")
		for _, row := range []struct {
			who          *apptest.Client
			method, path string
			body         any
		}{
			{guest, "POST", "/join", nil},
			{owner, "POST", "/join", nil},
			{guest, "POST", "/waitlist", nil},
			{owner, "PATCH", "", apptest.Fields{"title": "Mine"}},
			{owner, "PATCH", "", apptest.Fields{"group_id": nil}},
			{owner, "DELETE", "/cover", nil},
			{owner, "POST", "/cancel", nil},
			{owner, "PATCH", "/date-mode", apptest.Fields{"mode": "vote"}},
			{owner, "POST", "/date-options", apptest.Fields{"starts_at": "2026-12-08T18:00:00Z"}},
			{owner, "PUT", "/questions", apptest.Fields{"items": []any{}}},
			{owner, "POST", "/hosts", apptest.Fields{"user_id": guest.UserID}},
			{owner, "POST", "/email-invitations", apptest.Fields{"emails": []string{"ann@example.org"}}},
		} {
			r := row.who.With("Accept", "application/problem+json").Do(row.method, event+row.path, row.body)
			if r.Status != 403 || r.Text("reason") != "event_external" {
				t.Errorf("%s %s: %d %s", row.method, row.path, r.Status, r.Body)
			}
		}
		guest.Patch(event+"/rsvp", apptest.Fields{"status": "accepted"}).WantError(404, "not_found") // nobody is invited
		report := guest.Post("/reports", apptest.Fields{"target_type": "event", "target_id": strings.TrimPrefix(event, "/events/"),
			"reason": "spam"}).Want(201)
		mod.Patch("/admin/reports/"+report.Text("id"), apptest.Fields{"status": "resolved", "action": "cancel_event"}).Want(200)
		readAgain(a)
		readAgain(a)
		wantComing(t, owner, group, "Tea (canceled)") // moderators have canceled it for good
	}, apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")))
}

// TestBadCalendarChangesNothing checks that the events of a calendar outlive every bad answer, and that hosts see why.
func TestBadCalendarChangesNothing(t *testing.T) {
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	if _, err := pack.Write(make([]byte, 50<<20)); err != nil || pack.Close() != nil {
		t.Fatal(err)
	}
	send := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
	}
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, address, http.StatusFound) }
	}
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner := a.As("owner")
		group := found(owner, nil)
		tea := vevent("1", 20, "Tea")
		s.serve(tea)
		s.Names["inside.example.com"] = outboundtest.Always("10.0.0.1")
		subscribe(a, owner, group)
		for _, row := range []struct {
			name, problem string
			answer        http.HandlerFunc
		}{
			{"no events", "empty", send("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")},
			{"only past events", "empty", send("BEGIN:VCALENDAR\r\n" + strings.Replace(tea, "2026", "2020", 1) + "END:VCALENDAR\r\n")},
			{"no content", "not_calendar", send("")},
			{"a page", "not_calendar", send("<html>")},
			{"cut off", "not_calendar", send("BEGIN:VCALENDAR\r\n" + tea)},
			{"gone", "status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }},
			{"failing", "status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }},
			{"unasked 304", "not_calendar", send("\x00")},
			{"gzip bomb", "compressed", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				_, _ = w.Write(packed.Bytes())
			}},
			{"hidden gzip bomb", "not_calendar", send(packed.String())},
			{"20000 events", "too_large", send("BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 20_000))},
			{"10^6 events", "too_large", send("BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 1_000_000))},
			{"endless", "too_large", func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<16)); err != nil {
						return
					}
				}
			}},
			{"redirect to a private address", "redirect", to("https://127.0.0.1/a.ics")},
			{"redirect to a private name", "unreachable", to("https://inside.example.com/a.ics")},
			{"redirect without TLS", "redirect", to("http://example.com/a.ics")},
			{"endless redirect", "redirect", to("/again")},
			{"dropped connection", "unreachable", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		} {
			s.answers(row.answer)
			a.Clock.Advance(7 * time.Hour)
			a.RunJobs()
			owner = a.SignIn(apptest.Email("owner"))
			wantSource(t, owner, group, "failing", row.problem)
			if got := comingOf(owner, group); got != "Tea" {
				t.Errorf("%s: coming events %q", row.name, got)
			}
		}
		if n := notifiedOf(owner)["group_source_failed"]; n != 1 {
			t.Errorf("hosts are notified %d times", n)
		}
		s.serve(tea)
		a.Clock.Advance(7 * time.Hour)
		a.RunJobs()
		wantSource(t, owner, group, "ok", nil)
		wantComing(t, owner, group, "Tea")
		if log := a.Log(); strings.Contains(log, "chess.ics") {
			t.Error("the log has the address of a calendar")
		}
		s.Connections()
	})
}

// TestRestingCalendar checks that nothing is published for owners who may not publish, and that hosts see why.
func TestRestingCalendar(t *testing.T) {
	set := func(name, sql string) *db.Stmt { return db.SQL("test.source_"+name, sql) }
	for name, row := range map[string]struct {
		on, off *db.Stmt
		group   bool
	}{
		"owner_unverified": {on: set("unverify", `UPDATE users SET email_verified = FALSE WHERE id = $1`),
			off: set("verify", `UPDATE users SET email_verified = TRUE WHERE id = $1`)},
		"owner_suspended": {on: set("suspend", `UPDATE users SET suspended_at = 1 WHERE id = $1`),
			off: set("resume", `UPDATE users SET suspended_at = NULL WHERE id = $1`)},
		"group_suspended": {on: set("suspend_group", `UPDATE groups SET suspended_at = 1 WHERE owner_id = $1`),
			off: set("resume_group", `UPDATE groups SET suspended_at = NULL WHERE owner_id = $1`)},
	} {
		t.Run(name, func(t *testing.T) {
			eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
				owner, host := a.As("owner"), a.As("host")
				group := found(owner, nil)
				newMember(owner, host, group, "host")
				s.serve(vevent("1", 3, "Tea"))
				subscribe(a, host, group)
				s.serve(vevent("1", 3, "Tea"), vevent("2", 4, "Go"))
				a.Exec(row.on, owner.ID())
				readAgain(a)
				wantSource(t, host, group, "resting", name)
				if n := len(s.Requests()); n != 1 {
					t.Errorf("the calendar was read %d times", n)
				}
				a.Exec(row.off, owner.ID())
				readAgain(a)
				wantSource(t, host, group, "ok", nil)
				wantComing(t, host, group, "Tea, Go")
			})
		})
	}
}

// TestCalendarOfPrivateGroup checks that its events are never visible to more people than the group.
func TestCalendarOfPrivateGroup(t *testing.T) {
	eachWithSources(t, dbtest.Engines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner, member := a.As("owner"), a.As("member")
		group := found(owner, nil)
		newMember(owner, member, group, "member")
		s.serve(vevent("1", 3, "Tea"), vevent("2", 4, "Go"))
		subscribe(a, owner, group)
		event := "/events/" + owner.Get(group+"/events").Want(200).Text("items.0.event.id")
		a.Anonymous().Get(event).Want(200)
		owner.Patch(group, apptest.Fields{"visibility": "private"}).Want(200)
		hidden := func() {
			t.Helper()
			a.Anonymous().Get(event).WantError(404, "not_found")
			if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != 0 {
				t.Errorf("%d events are listed", n)
			}
			wantComing(t, member, group, "Tea, Go")
		}
		hidden()
		s.serve(vevent("1", 3, "Tea"), vevent("2", 4, "Go"), vevent("3", 5, "Late"))
		readAgain(a)
		if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != 0 {
			t.Errorf("%d events are listed", n)
		}
		wantComing(t, member, group, "Tea, Go, Late")
		owner.Patch(group, apptest.Fields{"visibility": "public"}).Want(200)
		a.Clock.Advance(25 * time.Hour)
		a.RunJobs()
		wantComing(t, a.Anonymous(), group, "Tea, Go, Late")
	})
}

// TestMembersAreToldOnce checks that a batch of new events makes one notification a day.
func TestMembersAreToldOnce(t *testing.T) {
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner, member, follower := a.As("owner"), a.As("member"), a.As("follower")
		follower.Follow(owner)
		group := found(owner, nil)
		newMember(owner, member, group, "member")
		var events []string
		for i := range 28 {
			events = append(events, vevent(fmt.Sprint(i), 3+i%25, fmt.Sprint("Event ", i)))
		}
		s.serve(events[:25]...)
		subscribe(a, owner, group)
		s.serve(events[:27]...)
		readAgain(a)
		if all := notifiedOf(member); all["group_event"] != 1 {
			t.Errorf("members are notified of %v", all)
		}
		s.serve(events...)
		a.Clock.Advance(25 * time.Hour)
		a.RunJobs()
		member, follower = a.SignIn(apptest.Email("member")), a.SignIn(apptest.Email("follower"))
		if all := notifiedOf(member); all["group_event"] != 2 {
			t.Errorf("members are notified of %v", all)
		}
		if all := notifiedOf(follower); all["followed_user_event"] != 0 {
			t.Errorf("followers of the owner are notified of %v", all)
		}
	})
}

// TestCalendarLimits spends the limits of calendars, of their events, and of the host that is called.
func TestCalendarLimits(t *testing.T) {
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner, other := a.As("owner"), a.As("other")
		group, second := found(owner, nil), found(other, nil)
		add := func(c *apptest.Client, group, name string) *apptest.Reply {
			return c.With("Accept", "application/problem+json").Put(group+"/sources", apptest.Fields{"url": "https://example.com/" + name})
		}
		for i := range 5 {
			first := add(owner, group, fmt.Sprint(i)).Want(200)
			if i == 4 && first.Text("id") != add(owner, group, "4").Want(200).Text("id") { // spends the limit
				t.Error("an address is added twice")
			}
		}
		if r := add(owner, group, "5"); r.Status != 403 || r.Text("reason") != "source_limit" {
			t.Errorf("the 6th calendar: %d %s", r.Status, r.Body)
		}
		add(owner, group, "0").Want(429)
		add(other, second, "x").Want(200)
		for minute := range 3 {
			if minute > 0 {
				a.Clock.Advance(time.Minute)
			}
			a.RunJobs()
			if n := len(s.Requests()); n != minute+1 {
				t.Errorf("after %d minutes, the host got %d requests", minute, n)
			}
		}
		s.answers(func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "example.com" {
				http.Redirect(w, r, "https://victim.example.com/", http.StatusFound)
			}
		})
		s.Names["victim.example.com"] = outboundtest.Always(outboundtest.Public)
		a.Clock.Advance(time.Minute)
		a.RunJobs()
		owner.Delete(group + "/sources/" + owner.Get(group+"/sources").Want(200).Text("items.0.id")).Want(204)
		other.Put(second+"/sources", apptest.Fields{"url": "https://victim.example.com/a.ics"}).Want(200)
		a.RunJobs()
		n := 0
		for _, r := range s.Requests() {
			if r.Host == "victim.example.com" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the host behind a redirect got %d requests in a minute", n)
		}
	}, apptest.Setting("RATE_LIMITS", "group_sources_per_user_day=7/24h"))
}

// TestCalendarWithManyEvents checks that 500 events are shown, and 500 new ones a day.
func TestCalendarWithManyEvents(t *testing.T) {
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *calendarServer) {
		owner := a.As("owner")
		group := found(owner, nil)
		s.answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(vevents(600, numbered))) })
		subscribe(a, owner, group)
		r := wantSource(t, owner, group, "ok", "event_limit")
		if r.Number("items.0.event_count") != 500 {
			t.Errorf("events: %s", r.Body)
		}
		renamed := strings.ReplaceAll(vevents(400, numbered), "UID:", "UID:new")
		s.answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(renamed)) })
		readAgain(a)
		readAgain(a)
		if r := wantSource(t, owner, group, "ok", "event_limit"); r.Number("items.0.event_count") != 0 {
			t.Errorf("events of the same day: %s", r.Body)
		}
		a.Clock.Advance(23 * time.Hour)
		a.RunJobs()
		owner = a.SignIn(apptest.Email("owner"))
		if r := wantSource(t, owner, group, "ok", nil); r.Number("items.0.event_count") != 400 {
			t.Errorf("events of the next day: %s", r.Body)
		}
	})
}
