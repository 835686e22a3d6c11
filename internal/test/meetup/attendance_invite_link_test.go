package meetup_test

import (
	"fmt"
	"path"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// inviteLink makes a link to an event, and returns it and the path of its operation.
func inviteLink(org *apptest.Client, event string, limits apptest.Fields) (link *apptest.Reply, open string) {
	link = org.Post("/events/"+event+"/invite-links", limits).Want(201)
	return link, "/invite-links/" + path.Base(link.Text("url"))
}

// TestInviteLink follows a link from its host to somebody who uses it.
func TestInviteLink(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		event := private(org, apptest.Fields{"title": "Dinner", "city": "Berlin", "location_text": "Secret street 5", "lat": 52.5, "lng": 13.4,
			"description": "A secret.", "conference_url": "https://secret.example/"})
		link, open := inviteLink(org, event, nil)
		if link.Number("uses") != 0 || link.Get("max_uses") != nil || link.Get("expires_at") != nil || link.Text("event_id") != event {
			t.Errorf("%s", link.Body)
		}
		for _, c := range []*apptest.Client{a.Anonymous(), ann} {
			shown := c.Get(open).Want(200)
			var keys []string
			for key := range shown.Get("").(map[string]any) {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			want := []string{"city", "ends_at", "event_id", "host", "image_url", "starts_at", "timezone", "title"}
			if !slices.Equal(keys, want) || shown.Text("title") != "Dinner" || shown.Text("host.user_id") != org.UserID ||
				shown.Get("event_id") != nil {
				t.Errorf("%s", shown.Body)
			}
		}
		a.Anonymous().Post(open+"/accept", nil).WantError(401, "unauthorized")
		ann.Get("/events/"+event).WantError(404, "not_found")

		for range 2 { // the second one changes nothing
			accepted := ann.Post(open+"/accept", nil).Want(200)
			if accepted.Text("status") != "accepted" || accepted.Text("event_id") != event || accepted.Text("invited_user_id") != ann.UserID ||
				accepted.Text("invited_by_user_id") != org.UserID {
				t.Errorf("%s", accepted.Body)
			}
		}
		ben.Post(open+"/accept", apptest.Fields{"status": "tentative"}).Want(200)
		if seen := ann.Get("/events/" + event).Want(200); seen.Text("viewer_participation_status") != "going" {
			t.Errorf("%s", seen.Body)
		}
		if seen := ben.Get("/events/" + event).Want(200); seen.Text("viewer_invitation_status") != "tentative" {
			t.Errorf("%s", seen.Body)
		}
		if got := ann.Get(open).Want(200).Text("event_id"); got != event {
			t.Errorf("a guest gets the event %s", got)
		}
		if n := a.Count(notificationsStmt, org.ID(), "event_invitation_response"); n != 2 {
			t.Errorf("the host has %d notifications of answers", n)
		}
		a.Clock.Advance(time.Second)
		second, _ := inviteLink(org, event, apptest.Fields{"max_uses": 3, "expires_at": a.Clock.Now().Add(time.Hour).Format(time.RFC3339)})
		list := org.Get("/events/" + event + "/invite-links?limit=1").Want(200)
		next := org.Get("/events/" + event + "/invite-links?limit=1&cursor=" + list.Text("next_cursor")).Want(200)
		if list.Text("items.0.id") != second.Text("id") || list.Number("items.0.max_uses") != 3 || next.Text("items.0.id") != link.Text("id") ||
			next.Number("items.0.uses") != 2 || next.Text("items.0.url") != link.Text("url") || next.Get("next_cursor") != nil {
			t.Errorf("%s\n%s", list.Body, next.Body)
		}

		end := "/events/" + event + "/invite-links/" + link.Text("id")
		ann.Delete(end).WantError(403, "forbidden")
		org.Delete(end).Want(204)
		org.Delete(end).WantError(404, "not_found")
		a.As("carl").Get(open).WantError(404, "not_found")
		ann.Get("/events/" + event).Want(200) // stays invited
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestInviteLinksEnd lists what a link does not survive. All refusals are the same.
func TestInviteLinksEnd(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		unknown := a.Anonymous().Get("/invite-links/unknown").WantError(404, "not_found")
		for i, row := range []struct {
			name   string
			limits apptest.Fields
			act    func(org, ann *apptest.Client, event, open string)
			public bool // it ends for signed-out visitors, too
		}{
			{"cancellation", nil, func(org, _ *apptest.Client, event, _ string) { org.Post("/events/"+event+"/cancel", nil).Want(200) }, true},
			{"the host's wish", nil, func(org, _ *apptest.Client, event, _ string) {
				id := org.Get("/events/" + event + "/invite-links").Want(200).Text("items.0.id")
				org.Delete("/events/" + event + "/invite-links/" + id).Want(204)
			}, true},
			{"the last use", apptest.Fields{"max_uses": 1}, func(_, _ *apptest.Client, _, open string) {
				a.As("first").Post(open+"/accept", nil).Want(200)
				a.As("first").Get(open).Want(200) // is invited
			}, true},
			{"a block by the host", nil, func(org, ann *apptest.Client, _, _ string) { org.Block(ann) }, false},
			{"a block of the host", nil, func(org, ann *apptest.Client, _, _ string) { ann.Block(org) }, false},
			{"suspension of the host", nil, func(org, _ *apptest.Client, _, _ string) {
				attendanceExec(t, a, attendanceSuspendStmt, org.UserID)
			}, true},
			{"deletion of the host", nil, func(org, _ *apptest.Client, _, _ string) { org.Delete("/me").Want(204) }, true},
			{"its time", apptest.Fields{"expires_at": a.Clock.Now().Add(time.Hour).Format(time.RFC3339)},
				func(*apptest.Client, *apptest.Client, string, string) { a.Clock.Advance(time.Hour) }, true},
			{"the event", nil, func(*apptest.Client, *apptest.Client, string, string) { a.Clock.Advance(5 * 24 * time.Hour) }, true},
		} {
			org, ann := a.As(fmt.Sprint("org", i)), a.As("ann")
			event := private(org, nil)
			_, open := inviteLink(org, event, row.limits)
			a.Anonymous().Get(open).Want(200)
			row.act(org, ann, event, open)
			ann = a.SignIn(apptest.Email("ann")) // her access token may have expired
			for _, got := range []*apptest.Reply{ann.Get(open), ann.Post(open+"/accept", nil)} {
				if got.Status != 404 || string(got.Body) != string(unknown.Body) {
					t.Errorf("%s: %d %s", row.name, got.Status, got.Body)
				}
			}
			if got := a.Anonymous().Get(open); row.public != (got.Status == 404) {
				t.Errorf("%s: signed-out visitors get %d", row.name, got.Status)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestInviteLinksOfDrafts opens a link only when the event is published.
func TestInviteLinksOfDrafts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Draft(apptest.Fields{"visibility": "private"})
		_, open := inviteLink(org, event, nil)
		for _, c := range []*apptest.Client{a.Anonymous(), ann, org} {
			c.Get(open).WantError(404, "not_found")
		}
		ann.Post(open+"/accept", nil).WantError(404, "not_found")
		org.Post("/events/"+event+"/publish", nil).Want(200)
		ann.Post(open+"/accept", nil).Want(200)
	}, apptest.StartAt(apptest.Today))
}

// TestInviteLinksAreRefused lists what hosts and guests may not do.
func TestInviteLinksAreRefused(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event, canceled, full := private(org, nil), private(org, nil), private(org, apptest.Fields{"capacity": 1})
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		_, open := inviteLink(org, event, nil)
		fullLink, toFull := inviteLink(org, full, nil)
		a.As("first").Post(toFull+"/accept", nil).Want(200)
		past := a.Clock.Now().Format(time.RFC3339)
		links := func(event string) string { return "/events/" + event + "/invite-links" }
		for _, row := range []struct {
			name   string
			as     *apptest.Client
			path   string
			body   apptest.Fields
			status int
			reason string
		}{
			{"a link to a public event", org, links(org.Publish(nil)), nil, 403, "event_public"},
			{"to a canceled event", org, links(canceled), nil, 403, "event_canceled"},
			{"of somebody who is invited", a.As("first"), links(full), nil, 403, "not_organizer"},
			{"to a hidden event", ann, links(event), nil, 404, ""},
			{"for nobody", org, links(event), apptest.Fields{"max_uses": 0}, 400, ""},
			{"for too many", org, links(event), apptest.Fields{"max_uses": 501}, 400, ""},
			{"that has expired", org, links(event), apptest.Fields{"expires_at": past}, 400, ""},
			{"one's own link", org, open + "/accept", nil, 403, "own_event"},
			{"a refusal by link", ann, open + "/accept", apptest.Fields{"status": "declined"}, 400, ""},
			{"a full event", ann, toFull + "/accept", nil, 403, "event_full"},
		} {
			got := row.as.With("Accept", "application/problem+json").Post(row.path, row.body)
			if reason, _ := got.Get("reason").(string); got.Status != row.status || reason != row.reason {
				t.Errorf("%s: %d %s", row.name, got.Status, got.Body)
			}
		}
		if got := org.Get(links(full)).Want(200); got.Number("items.0.uses") != 1 || got.Text("items.0.id") != fullLink.Text("id") {
			t.Errorf("a refusal took a use: %s", got.Body)
		}
		ann.Post(toFull+"/accept", apptest.Fields{"status": "tentative"}).Want(200) // needs no seat
		for range 49 {
			inviteLink(org, event, nil)
		}
		over := org.With("Accept", "application/problem+json").Post(links(event), nil).Want(403)
		if over.Text("reason") != "invitation_limit" {
			t.Errorf("%s", over.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestInviteLinksInviteNoMore lets more people use a link at once than it may invite, and then one person several times.
func TestInviteLinksInviteNoMore(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		for _, row := range []struct{ uses, capacity, going int }{{7, 20, 7}, {20, 7, 7}, {1, 1, 1}} {
			event := private(org, apptest.Fields{"capacity": row.capacity})
			_, open := inviteLink(org, event, apptest.Fields{"max_uses": row.uses})
			var in, late, full atomic.Int64
			apptest.Concurrently(apptest.Crowd, func(i int) {
				switch got := guests[i].Post(open+"/accept", nil); got.Status {
				case 200:
					in.Add(1)
				case 404:
					late.Add(1)
				default:
					got.WantError(403, "forbidden")
					full.Add(1)
				}
			})
			uses := org.Get("/events/" + event + "/invite-links").Want(200).Number("items.0.uses")
			if n := in.Load(); int(n) != row.going || int(uses) != row.going || attendanceCount(org, event) != row.going {
				t.Errorf("%+v: %d came, %d late, %d found it full; %v uses, %d are going", row, n, late.Load(), full.Load(), uses,
					attendanceCount(org, event))
			}
		}
		event := private(org, nil)
		_, open := inviteLink(org, event, nil)
		apptest.Concurrently(apptest.Crowd, func(i int) { guests[0].On(i).Post(open+"/accept", nil).Want(200) })
		if uses := org.Get("/events/" + event + "/invite-links").Want(200).Number("items.0.uses"); uses != 1 {
			t.Errorf("one guest took %v uses", uses)
		}
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}
