package meetup_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestRolesOfCalendars checks who lists, adds and removes the calendars of a group.
func TestRolesOfCalendars(t *testing.T) {
	eachWithSources(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, _ *calendarServer) {
		owner, host, roles := a.As("owner"), a.As("host"), map[string]*apptest.Client{}
		for _, name := range []string{"member", "invited", "requested", "banned", "outsider"} {
			roles[name] = a.As(name)
		}
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		newMember(owner, roles["member"], group, "member")
		newMember(owner, roles["banned"], group, "member")
		owner.Patch(group+"/members/"+roles["banned"].UserID, apptest.Fields{"status": "banned"}).Want(200)
		owner.Post(group+"/invitations", apptest.Fields{"user_id": roles["invited"].UserID}).Want(200)
		owner.Patch(group, apptest.Fields{"join_policy": "approval"}).Want(200)
		roles["requested"].Post(group+"/membership", nil).Want(200)
		path := subscribe(a, owner, group)
		body := apptest.Fields{"url": "https://example.com/other.ics"}
		for _, visibility := range []string{"public", "private"} {
			owner.Patch(group, apptest.Fields{"visibility": visibility}).Want(200)
			for name, c := range roles {
				for _, do := range []func() *apptest.Reply{
					func() *apptest.Reply { return c.With("Accept", "application/problem+json").Get(group + "/sources") },
					func() *apptest.Reply { return c.With("Accept", "application/problem+json").Put(group+"/sources", body) },
					func() *apptest.Reply { return c.With("Accept", "application/problem+json").Delete(path) },
				} {
					r, want := do(), 403
					if visibility == "private" && name != "member" && name != "invited" {
						want = 404
					}
					if r.Status != want || want == 403 && r.Text("reason") != string(domain.NotOrganizer) {
						t.Errorf("%s group, %s: %d %s", visibility, name, r.Status, r.Body)
					}
				}
			}
		}
		host.Put(group+"/sources", body).Want(200)
		for _, bad := range []string{"http://example.com/a.ics", "https://127.0.0.1/a.ics", "https://[::1]/", "file:///etc/passwd", "chess",
			"https://169.254.169.254/a.ics", "https://user:pass@example.com/a.ics", "https://example.com:8443/a.ics"} {
			host.Put(group+"/sources", apptest.Fields{"url": bad}).WantError(400, "invalid_request")
		}
		host.Delete(path).Want(204)
		host.Delete(path).WantError(404, "not_found")
		other := found(host, nil)
		host.Delete(other+"/sources/"+owner.Get(group+"/sources").Want(200).Text("items.0.id")).WantError(404, "not_found")
		if n := owner.Get(group + "/sources").Want(200).Len("items"); n != 1 {
			t.Errorf("%d calendars are left", n)
		}
	})
}

var remainsStmt = db.SQL("test.left_of_calendars", `
	SELECT (SELECT COUNT(*) FROM group_sources) + (SELECT COUNT(*) FROM group_source_events)
		+ (SELECT COUNT(*) FROM events WHERE source_host IS NOT NULL AND (listed OR group_id IS NOT NULL OR status = 'published' AND over_at > $1))`)

// TestEndOfCalendarHidesItsEvents ends calendars in each way. Nothing is left of them for others.
func TestEndOfCalendarHidesItsEvents(t *testing.T) {
	for name, ends := range map[string]func(a *apptest.App, owner, host *apptest.Client, group, path string){
		"removed":                  func(_ *apptest.App, _, host *apptest.Client, _, path string) { host.Delete(path).Want(204) },
		"the group is deleted":     func(_ *apptest.App, owner, _ *apptest.Client, group, _ string) { owner.Delete(group).Want(204) },
		"who added it has left":    func(_ *apptest.App, _, host *apptest.Client, _, _ string) { host.Delete("/me").Want(204) },
		"the account of the owner": func(_ *apptest.App, owner, _ *apptest.Client, _, _ string) { owner.Delete("/me").Want(204) },
		"removed while it is failed": func(a *apptest.App, _, host *apptest.Client, _, path string) {
			readAgain(a)
			host.Delete(path).Want(204)
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachWithSources(t, dbtest.Engines, func(t *testing.T, a *apptest.App, s *calendarServer) {
				owner, host, guest := a.As("owner"), a.As("host"), a.As("guest")
				group := found(owner, nil)
				newMember(owner, host, group, "host")
				var events []string
				for i := range 45 {
					events = append(events, vevent(fmt.Sprint(i), 3+i%25, fmt.Sprint("Event ", i)))
				}
				s.serve(events...)
				path := subscribe(a, host, group)
				event := "/events/" + guest.Get(group+"/events").Want(200).Text("items.0.event.id")
				if export := host.Get("/me/export").Want(200); !strings.Contains(string(export.Body), "https://example.com/chess.ics") {
					t.Error("the export of the host has no calendar")
				}
				s.serve()
				ends(a, owner, host, group, path)
				a.RunJobs()
				guest.Get(event).WantError(404, "not_found")
				if n := a.Count(remainsStmt, a.Clock.Now()); n != 0 {
					t.Errorf("%d rows are left", n)
				}
				readAgain(a)
				if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != 0 {
					t.Errorf("%d events are listed", n)
				}
			})
		})
	}
}

// TestCalendarEndsWhileItIsRead lets reads run beside the removal of the calendar, of the group and of accounts, and beside a change of the
// visibility.
func TestCalendarEndsWhileItIsRead(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		for round := range testutil.Rounds(2, 30) {
			n := 0
			for name, race := range map[string]func(owner, host *apptest.Client, group, path string) []func(){
				"removal beside deletion of the group": func(owner, host *apptest.Client, group, path string) []func() {
					return []func(){func() { host.On(1).Delete(path) }, func() { owner.Delete(group).Want(204) }}
				},
				"removal beside a change": func(owner, host *apptest.Client, group, path string) []func() {
					return []func(){func() { host.On(1).Delete(path).Want(204) }, func() {
						owner.Patch(group, apptest.Fields{"visibility": "private"}).Want(200)
					}}
				},
				"deletion of the owner": func(owner, host *apptest.Client, _, path string) []func() {
					return []func(){func() { owner.Delete("/me").Want(204) }, func() { host.On(2).Delete(path) }}
				},
			} {
				n++
				owner, host := a.As(fmt.Sprintf("owner%d-%d", round, n)), a.As(fmt.Sprintf("host%d-%d", round, n))
				group := found(owner, apptest.Fields{"name": fmt.Sprintf("Chess %d-%d", round, n)})
				newMember(owner, host, group, "host")
				id := host.Put(group+"/sources", apptest.Fields{"url": "https://example.com/chess.ics"}).Want(200).Text("id")
				acts := append(race(owner, host, group, group+"/sources/"+id), a.RunJobs)
				apptest.Concurrently(len(acts), func(i int) { acts[i]() })
				a.RunJobs()
				if left := a.Count(remainsStmt, a.Clock.Now()); left != 0 {
					t.Fatalf("%s: %d rows are left", name, left)
				}
			}
		}
	}, importDay, apptest.Outbound(busyCalendar(t).Outbound()))
}

// busyCalendar is a server of a calendar with many events.
func busyCalendar(t *testing.T) *calendarServer {
	s := newCalendarServer(t)
	var events []string
	for i := range 90 {
		events = append(events, vevent(fmt.Sprint(i), 3+i%25, fmt.Sprint("Event ", i)))
	}
	s.serve(events...)
	return s
}
