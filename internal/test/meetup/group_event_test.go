package meetup_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// idOf returns the id in the path of a group.
func idOf(group string) string { return strings.TrimPrefix(group, "/groups/") }

// TestHostsOfGroupHostItsEvents checks that the owner and the hosts of a group do what hosts of an event do, as long as they are hosts.
func TestHostsOfGroupHostItsEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, host, member := a.As("owner"), a.As("host"), a.As("member")
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		newMember(owner, member, group, "member")
		event := "/events/" + host.Draft(apptest.Fields{"group_id": idOf(group)})
		owner.Patch(event, apptest.Fields{"title": "Blitz"}).Want(200)
		member.Patch(event, apptest.Fields{"title": "Mine"}).WantError(404, "not_found")
		owner.Post(event+"/publish", nil).Want(200)
		if r := owner.Get(event).Want(200); r.Text("viewer_role") != "host" || r.Text("group.id") != idOf(group) ||
			r.Text("group.name") != "Chess club" {
			t.Errorf("the owner of the group sees %s", r.Body)
		}
		owner.Post(event+"/posts", apptest.Fields{"body": "Welcome"}).Want(201)
		owner.Post(event+"/cancel", nil).WantError(403, "forbidden") // only the organizer
		if got := fieldsOf(owner.Get("/me/events?role=hosting").Want(200), "items", "event.title"); got != "Blitz" {
			t.Errorf("the owner hosts %q", got)
		}
		other := "/events/" + owner.Publish(apptest.Fields{"group_id": idOf(group)})
		host.Patch(other, apptest.Fields{"title": "Rapid"}).Want(200)
		owner.Patch(group+"/members/"+host.UserID, apptest.Fields{"role": "member"}).Want(200)
		host.Patch(other, apptest.Fields{"title": "Mine"}).WantError(404, "not_found")
		host.Patch(event, apptest.Fields{"title": "Blitz!"}).Want(200) // the organizer
	}, apptest.StartAt(apptest.Today))
}

// TestPlacingEventsInGroups checks who may set the group of an event, when, and with which visibility.
func TestPlacingEventsInGroups(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, member, outsider := a.As("owner"), a.As("member"), a.As("outsider")
		open, closed, other := found(owner, nil), found(owner, apptest.Fields{"visibility": "private"}), found(owner, nil)
		newMember(owner, member, open, "member")
		draft, published := "/events/"+owner.Draft(nil), "/events/"+owner.Publish(apptest.Fields{"group_id": idOf(open)})
		for _, row := range []struct {
			name         string
			who          *apptest.Client
			method, path string
			body         apptest.Fields
			want         int
			reason       domain.Reason
		}{
			{"a member", member, "POST", "/events", apptest.Fields{"group_id": idOf(open)}, 403, domain.NotOrganizer},
			{"a stranger", outsider, "POST", "/events", apptest.Fields{"group_id": idOf(open)}, 403, domain.NotOrganizer},
			{"a hidden group", outsider, "POST", "/events", apptest.Fields{"group_id": idOf(closed)}, 403, domain.NotOrganizer},
			{"no such group", owner, "POST", "/events", apptest.Fields{"group_id": "018f3b0a-5c1d-7000-8000-0000000000f9"}, 403, domain.NotOrganizer},
			{"public in a private group", owner, "POST", "/events", apptest.Fields{"group_id": idOf(closed)}, 400, ""},
			{"for members without a group", owner, "POST", "/events", apptest.Fields{"visibility": "members"}, 400, ""},
			{"for members", owner, "POST", "/events", apptest.Fields{"visibility": "members", "group_id": idOf(closed)}, 201, ""},
			{"private in a group", owner, "POST", "/events", apptest.Fields{"visibility": "private", "group_id": idOf(closed)}, 201, ""},
			{"in a draft", owner, "PATCH", draft, apptest.Fields{"group_id": idOf(open)}, 200, ""},
			{"another group in a draft", owner, "PATCH", draft, apptest.Fields{"group_id": idOf(other)}, 200, ""},
			{"for members in a draft", owner, "PATCH", draft, apptest.Fields{"visibility": "members"}, 200, ""},
			{"no group for members", owner, "PATCH", draft, apptest.Fields{"group_id": nil}, 400, ""},
			{"another group once published", owner, "PATCH", published, apptest.Fields{"group_id": idOf(other)}, 403, domain.EventPublished},
			{"no group once published", owner, "PATCH", published, apptest.Fields{"group_id": nil}, 200, ""},
			{"a group once published", owner, "PATCH", published, apptest.Fields{"group_id": idOf(open)}, 403, domain.EventPublished},
		} {
			if row.method == "POST" {
				row.body["title"], row.body["starts_at"] = "Blitz", "2026-06-05T16:00:00Z"
			}
			r := row.who.With("Accept", "application/problem+json").Do(row.method, row.path, row.body)
			if r.Status != row.want || row.reason != "" && r.Text("reason") != string(row.reason) {
				t.Errorf("%s: %d %s", row.name, r.Status, r.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestEventForMembers checks who sees and joins an event for members, and that no list for everybody has it.
func TestEventForMembers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		owner := a.As("owner")
		group := found(owner, nil)
		sees := map[string]bool{"owner": true, "host": true, "member": true, "invited": false, "requested": false, "banned": false,
			"outsider": false, "anonymous": false}
		clients := map[string]*apptest.Client{"anonymous": a.Anonymous()}
		for name := range sees {
			if name != "anonymous" {
				clients[name] = a.As(name)
			}
		}
		newMember(owner, clients["host"], group, "host")
		newMember(owner, clients["member"], group, "member")
		newMember(owner, clients["banned"], group, "member")
		event := "/events/" + owner.Publish(apptest.Fields{"visibility": "members", "group_id": idOf(group), "capacity": 5})
		clients["banned"].Join(strings.TrimPrefix(event, "/events/"))
		public := "/events/" + owner.Publish(apptest.Fields{"group_id": idOf(group)})
		clients["banned"].Join(strings.TrimPrefix(public, "/events/"))
		owner.Patch(group+"/members/"+clients["banned"].UserID, apptest.Fields{"status": "banned"}).Want(200)
		owner.Post(group+"/invitations", apptest.Fields{"user_id": clients["invited"].UserID}).Want(200)
		owner.Patch(group, apptest.Fields{"join_policy": "approval"}).Want(200)
		clients["requested"].Post(group+"/membership", nil).Want(200)
		for name, c := range clients {
			want := 404
			if sees[name] {
				want = 200
			}
			if r := c.Get(event); r.Status != want {
				t.Errorf("as %s: %d %s", name, r.Status, r.Body)
			}
			listed := c.Get(group + "/events").Want(200)
			if got := strings.Contains(string(listed.Body), strings.TrimPrefix(event, "/events/")); got != sees[name] {
				t.Errorf("%s finds it in the group: %v", name, got)
			}
			for _, path := range []string{"/events", "/events?group_id=" + idOf(group), group + "/events.atom", group + "/events.ics"} {
				r := c.Get(path).Want(200)
				if strings.Contains(string(r.Body), strings.TrimPrefix(event, "/events/")) || !strings.Contains(string(r.Body), "Chess in the park") {
					t.Errorf("%s as %s: %s", path, name, r.Body)
				}
			}
		}
		if r := clients["member"].Get(event).Want(200); r.Get("viewer_can_join") != true || r.Number("participant_count") != 0 {
			t.Errorf("after the ban: %s", r.Body)
		}
		if n := owner.Get(public).Want(200).Number("participant_count"); n != 1 {
			t.Errorf("%v people go to the public event", n)
		}
		clients["member"].Post(event+"/join", nil).Want(200)
		clients["member"].Delete(group + "/membership").Want(204)
		clients["member"].Get(event).Want(200) // still going
		clients["outsider"].Post(event+"/join", nil).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// TestBanEndsWaiting checks that a ban frees an offered seat at an event for members.
func TestBanEndsWaiting(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, ann, ben, eve := a.As("owner"), a.As("ann"), a.As("ben"), a.As("eve")
		group := found(owner, nil)
		for _, c := range []*apptest.Client{ann, ben, eve} {
			newMember(owner, c, group, "member")
		}
		event := "/events/" + owner.Publish(apptest.Fields{"visibility": "members", "group_id": idOf(group), "capacity": 1,
			"waitlist": "automatic"})
		ann.Post(event+"/join", nil).Want(200)
		ben.Post(event+"/waitlist", nil).Want(201)
		eve.Post(event+"/waitlist", nil).Want(201)
		for _, c := range []*apptest.Client{ben, ann} {
			owner.Patch(group+"/members/"+c.UserID, apptest.Fields{"status": "banned"}).Want(200)
		}
		a.RunJobs()
		if r := eve.Get(event).Want(200); r.Get("viewer_participation_status") != "going" || r.Number("participant_count") != 1 {
			t.Errorf("after the bans: %s", r.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestGroupIsNamedToThoseWhoSeeIt checks that events name a group only to viewers who see it, also from caches.
func TestGroupIsNamedToThoseWhoSeeIt(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, outsider := a.As("owner"), a.As("outsider")
		group := found(owner, nil)
		event := "/events/" + owner.Publish(apptest.Fields{"group_id": idOf(group)})
		named := func(c *apptest.Client) string {
			return fmt.Sprint(c.Get(event).Want(200).Get("group.name"), " ", c.Get("/events").Want(200).Get("items.0.group.name"), " ",
				c.Get("/events?group_id="+idOf(group)).Want(200).Len("items"))
		}
		for _, step := range []struct {
			name          string
			do            func()
			owner, others string
		}{
			{"public", func() {}, "Chess club Chess club 1", "Chess club Chess club 1"},
			{"renamed", func() { owner.Patch(group, apptest.Fields{"name": "Rooks"}).Want(200) }, "Rooks Rooks 1", "Rooks Rooks 1"},
			{"private", func() { owner.Patch(group, apptest.Fields{"visibility": "private"}).Want(200) }, "Rooks <nil> 0", "<nil> <nil> 0"},
			{"public again", func() { owner.Patch(group, apptest.Fields{"visibility": "public"}).Want(200) }, "Rooks Rooks 1", "Rooks Rooks 1"},
			{"deleted", func() { owner.Delete(group).Want(204) }, "<nil> <nil> 0", "<nil> <nil> 0"},
		} {
			step.do()
			for who, want := range map[*apptest.Client]string{owner: step.owner, outsider: step.others, a.Anonymous(): step.others} {
				if got := named(who); got != want {
					t.Errorf("%s: %s, want %s", step.name, got, want)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestEventsOutliveGroup checks what becomes of events when their group is suspended or deleted.
func TestEventsOutliveGroup(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, member, mod := a.As("owner"), a.As("member"), a.As("mod")
		group := found(owner, nil)
		newMember(owner, member, group, "member")
		public := "/events/" + owner.Publish(apptest.Fields{"group_id": idOf(group)})
		closed := "/events/" + owner.Publish(apptest.Fields{"group_id": idOf(group), "visibility": "members"})
		draft := "/events/" + owner.Draft(apptest.Fields{"group_id": idOf(group)})
		member.Post(closed+"/join", nil).Want(200)
		report := member.Post("/reports", apptest.Fields{"target_type": "group", "target_id": idOf(group), "reason": "spam"}).Want(201)
		mod.Patch("/admin/reports/"+report.Text("id"), apptest.Fields{"status": "resolved", "action": "suspend_group"}).Want(200)
		owner.Post(draft+"/publish", nil).Want(200)
		owner.Post("/events", apptest.Fields{"title": "Go", "starts_at": "2026-06-05T16:00:00Z", "group_id": idOf(group)}).
			WantError(403, "forbidden")
		if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != 1 { // the draft left the group
			t.Errorf("%d events are listed", n)
		}
		member.Get(public).Want(200)
		owner.Delete(group).Want(204)
		if r := owner.Get(closed).Want(200); r.Text("event.visibility") != "private" || r.Get("group") != nil {
			t.Errorf("after the deletion: %s", r.Body)
		}
		member.Get(closed).Want(200)
	}, apptest.StartAt(apptest.Today), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")))
}

// TestSeriesOfGroup checks that the dates of a series belong to its group, and to none once the organizer no longer hosts it.
func TestSeriesOfGroup(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, host := a.As("owner"), a.As("host")
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		series := host.Post("/event-series", apptest.Fields{"rrule": "FREQ=WEEKLY;COUNT=3", "starts_at": "2026-06-09T19:00:00",
			"timezone": "Europe/Berlin", "horizon_days": 9,
			"template": apptest.Fields{"title": "Blitz", "visibility": "members", "group_id": idOf(group)}}).Want(201).Text("id")
		if n := owner.Get(group + "/events").Want(200).Len("items"); n != 1 {
			t.Errorf("the group has %d events", n)
		}
		owner.Delete(group + "/members/" + host.UserID).Want(204)
		a.Clock.Advance(8 * 24 * time.Hour)
		a.RunJobs()
		host = a.SignIn(apptest.Email("host"))
		items := host.Get("/event-series/" + series + "/events").Want(200)
		if got := fieldsOf(items, "items", "event.visibility"); got != "members private" {
			t.Errorf("the next dates are %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}
