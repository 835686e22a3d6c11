package meetup_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// newHost makes a user a host of an event of the organizer.
func newHost(org, host *apptest.Client, event string) {
	org.Post("/events/"+event+"/hosts", apptest.Fields{"user_id": host.UserID}).Want(200)
	host.Patch("/events/"+event+"/hosts/"+host.UserID, apptest.Fields{"status": "active"}).Want(200)
}

// fieldsOf returns a field of the items of a response.
func fieldsOf(r *apptest.Reply, list, field string) string {
	var all []string
	for i := range r.Len(list) {
		all = append(all, r.Text(fmt.Sprintf("%s.%d.%s", list, i, field)))
	}
	return strings.Join(all, " ")
}

// TestHostMayNotActAsOwner checks the reasons with which requests of hosts are refused.
func TestHostMayNotActAsOwner(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben, eve := a.As("org"), a.As("ben"), a.As("eve")
		event := org.Publish(nil)
		newHost(org, ben, event)
		org.Post("/events/"+event+"/hosts", apptest.Fields{"user_id": eve.UserID}).Want(200)
		for _, row := range []struct {
			who          *apptest.Client
			method, path string
			body         any
			want         domain.Reason
		}{
			{ben, "POST", "/cancel", nil, domain.NotOwner},
			{ben, "POST", "/clone", nil, domain.NotOwner},
			{ben, "POST", "/hosts", apptest.Fields{"user_id": eve.UserID}, domain.NotOwner},
			{ben, "DELETE", "/hosts/" + eve.UserID, nil, domain.NotOwner},
			{ben, "POST", "/transfer", apptest.Fields{"user_id": ben.UserID}, domain.NotOwner},
			{ben, "PATCH", "/hosts/" + eve.UserID, apptest.Fields{"status": "active"}, domain.NotParticipant},
			{eve, "GET", "/hosts", nil, domain.NotOrganizer},
			{eve, "DELETE", "/hosts/" + ben.UserID, nil, domain.NotOrganizer},
			{eve, "POST", "/transfer", apptest.Fields{"user_id": eve.UserID}, domain.NotOrganizer},
			{org, "POST", "/transfer", apptest.Fields{"user_id": eve.UserID}, domain.BlockedByState},
		} {
			r := row.who.With("Accept", "application/problem+json").Do(row.method, "/events/"+event+row.path, row.body)
			if r.Status != 403 || r.Text("reason") != string(row.want) {
				t.Errorf("%s %s: %d %s, want %s", row.method, row.path, r.Status, r.Body, row.want)
			}
		}
		org.Post("/events/"+event+"/hosts", apptest.Fields{"user_id": org.UserID}).WantError(400, "invalid_request")
		org.Post("/events/"+event+"/hosts", apptest.Fields{"user_id": "018f3b0a-5c1d-7000-8000-0000000000b1"}).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// TestHostsAreShown checks what the details and the lists show to each viewer.
func TestHostsAreShown(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ben, eve, zoe := a.As("org"), a.As("ben"), a.As("eve"), a.As("zoe")
		event := org.Draft(nil)
		path := "/events/" + event
		org.Post(path+"/hosts", apptest.Fields{"user_id": ben.UserID}).Want(200)
		if r := ben.Get(path).Want(200); r.Text("viewer_role") != "pending_host" || r.Number("host_count") != 0 {
			t.Errorf("a user who is asked sees %s", r.Body)
		}
		ben.Patch(path, apptest.Fields{"title": "Mine"}).WantError(404, "not_found")
		ben.Patch(path+"/hosts/"+ben.UserID, apptest.Fields{"status": "active"}).Want(200)
		if got := fieldsOf(ben.Get("/me/events?role=hosting").Want(200), "items", "event.id"); got != event {
			t.Errorf("ben hosts %q", got)
		}
		ben.Post(path+"/publish", nil).Want(200)
		a.Clock.Advance(time.Second)
		newHost(org, zoe, event)
		for _, row := range []struct {
			who  *apptest.Client
			role any
		}{{org, "owner"}, {ben, "host"}, {eve, nil}, {a.Anonymous(), nil}} {
			r := row.who.Get(path).Want(200)
			owns := row.role == "owner"
			if r.Get("viewer_role") != row.role || r.Get("viewer_is_organizer") != owns || r.Number("host_count") != 2 ||
				fieldsOf(r, "hosts", "user_id") != ben.UserID+" "+zoe.UserID {
				t.Errorf("as %v: %s", row.role, r.Body)
			}
		}
		if got := fieldsOf(zoe.Get(path+"/hosts").Want(200), "items", "role"); got != "owner host host" {
			t.Errorf("the hosts are %q", got)
		}
		eve.Block(ben)
		if got := fieldsOf(eve.Get(path).Want(200), "hosts", "user_id"); got != zoe.UserID {
			t.Errorf("a viewer in a block with a host sees %q", got)
		}
		zoe.Delete(path + "/hosts/" + zoe.UserID).Want(204)
		ben.Block(org)
		if r := a.Anonymous().Get(path).Want(200); r.Number("host_count") != 0 {
			t.Errorf("after a block and a leave: %s", r.Body)
		}
		zoe.Delete(path+"/hosts/"+zoe.UserID).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// goingField is how many go, incognito guests included: a number names nobody.
var goingField = regexp.MustCompile(`"body":"[^"]*going[^"]*"`)

// TestHostKnowsNoIncognitoGuest compares what a host reads with and without guests who go incognito.
func TestHostKnowsNoIncognitoGuest(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben, uma, pia := a.As("org"), a.As("ben"), a.As("uma"), a.As("pia")
		private := org.Publish(apptest.Fields{"visibility": "private"})
		public := org.Publish(apptest.Fields{"capacity": 2, "waitlist": "offer"})
		for _, event := range []string{private, public} {
			newHost(org, ben, event)
		}
		for _, c := range []string{"uma", "pia"} {
			ben.Post("/events/"+private+"/invitations", apptest.Fields{"email": apptest.Email(c)}).Want(201)
		}
		pia.Join(public)
		reads := []string{"/events/" + private + "/participants", "/events/" + private + "/invitations", "/events/" + private +
			"/invitations?status=accepted", "/events/" + public + "/participants", "/notifications", "/events/" + public + "/waitlist/entries"}
		read := func() (all string) {
			for _, path := range reads {
				all += goingField.ReplaceAllString(string(ben.Get(path).Want(200).Body), "") + "\n"
			}
			return all
		}
		before := read()
		incognito := apptest.Fields{"participation_visibility": "incognito"}
		uma.Post("/events/"+public+"/join", incognito).Want(200)
		uma.Patch("/events/"+private+"/rsvp", apptest.Fields{"status": "accepted", "participation_visibility": "incognito"}).Want(200)
		if after := read(); after != before {
			t.Errorf("after uma goes incognito, the host reads\n%s\nnot\n%s", after, before)
		}
		if got := fieldsOf(org.Get("/events/"+public+"/participants").Want(200), "items", "profile.user_id"); !strings.Contains(got, uma.UserID) {
			t.Errorf("the organizer sees %q", got)
		}
		if n := ben.Get("/events/" + public).Want(200).Number("social_proof.incognito_count"); n != 1 {
			t.Errorf("%v guests are incognito", n)
		}
		a.As("ida").Post("/events/"+public+"/waitlist", incognito).Want(201)
		if r := ben.Get("/events/" + public + "/waitlist/entries").Want(200); r.Len("items") != 1 || r.Get("items.0.profile") != nil {
			t.Errorf("the host sees who waits incognito: %s", r.Body)
		}
		// A public guest who becomes incognito leaves the notifications of the host.
		pia.Post("/events/"+public+"/join", incognito).Want(200)
		if got := fieldsOf(ben.Get("/notifications").Want(200), "items", "kind"); strings.Contains(got, "event_joined") {
			t.Errorf("the host has the notifications %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestHostsAreNotifiedLikeOrganizer checks that hosts get the notifications of the organizer about guests.
func TestHostsAreNotifiedLikeOrganizer(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben, eve := a.As("org"), a.As("ben"), a.As("eve")
		public, private := org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"})
		newHost(org, ben, public)
		newHost(org, ben, private)
		eve.Join(public)
		ben.Post("/events/"+private+"/invitations", apptest.Fields{"email": apptest.Email("eve")}).Want(201)
		eve.Patch("/events/"+private+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
		a.Clock.Advance(5 * 24 * time.Hour)
		org, ben, eve = a.SignIn(apptest.Email("org")), a.SignIn(apptest.Email("ben")), a.SignIn(apptest.Email("eve"))
		eve.Post("/events/"+public+"/reviews", apptest.Fields{"rating": 5}).Want(201)
		ben.Post("/events/"+public+"/reviews", apptest.Fields{"rating": 5}).WantError(403, "forbidden")
		for name, c := range map[string]*apptest.Client{"organizer": org, "host": ben} {
			kinds := fieldsOf(c.Get("/notifications").Want(200), "items", "kind")
			for _, kind := range []string{"event_joined", "event_invitation_response", "event_review"} {
				if !strings.Contains(kinds, kind) {
					t.Errorf("the %s has no %s: %s", name, kind, kinds)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestEventHasAtMostTenHosts counts users who are asked, too.
func TestEventHasAtMostTenHosts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Publish(nil) + "/hosts"
		var first *apptest.Client
		for i := range 10 {
			c := a.As(fmt.Sprint("host", i))
			org.Post(path, apptest.Fields{"user_id": c.UserID}).Want(200)
			if i == 0 {
				first = c
			}
		}
		last := apptest.Fields{"user_id": a.As("last").UserID}
		if r := org.With("Accept", "application/problem+json").Post(path, last).Want(403); r.Text("reason") != "host_limit" {
			t.Errorf("the eleventh host: %s", r.Body)
		}
		org.Post(path, apptest.Fields{"user_id": first.UserID}).Want(200) // asked already
		first.Delete(path + "/" + first.UserID).Want(204)
		org.Post(path, last).Want(200)
	}, apptest.StartAt(apptest.Today))
}
