package meetup_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// approving publishes an event whose organizer approves joins.
func approving(a *apptest.App, changes apptest.Fields) (path string) {
	fields := apptest.Fields{"join_policy": "approval", "max_party_size": 4, "starts_at": "2026-06-10T16:00:00Z"}
	maps.Copy(fields, changes)
	return "/events/" + a.As("org").Publish(fields)
}

// ask requests to join, and returns the address of the participant.
func ask(c *apptest.Client, path string, fields apptest.Fields) string {
	asked := c.Post(path+"/join", fields).Want(200)
	if asked.Text("status") != "requested" {
		panic(string(asked.Body))
	}
	return path + "/participants/" + asked.Text("id")
}

// refused fails the test unless a reply is 403 for a reason.
func refused(t *testing.T, c *apptest.Client, method, path string, reason domain.Reason) {
	t.Helper()
	got := c.With("Accept", "application/problem+json").In(t).Do(method, path, nil)
	if got.Status != 403 || got.Text("reason") != string(reason) {
		t.Errorf("%s %s: %d %s, want 403 %s", method, path, got.Status, got.Body, reason)
	}
}

// TestRequestIsApproved follows a request: it takes no seat, the organizer is notified once, and approval makes a participant with the
// terms and the id of the request.
func TestRequestIsApproved(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		path, org, ann := approving(a, apptest.Fields{"capacity": 5}), a.As("org"), a.As("ann")
		if seen := ann.Get(path); seen.Get("viewer_can_join") != true || seen.Text("event.join_policy") != "approval" {
			t.Errorf("before the request: %s", seen.Body)
		}
		guest := ask(ann, path, apptest.Fields{"party_size": 2, "participation_visibility": "incognito"})
		if again := ask(ann, path, apptest.Fields{"party_size": 3}); again != guest {
			t.Errorf("asking again makes %s, not %s", again, guest)
		}
		seen := ann.Get(path).Want(200)
		if seen.Text("viewer_participation_status") != "requested" || seen.Get("viewer_can_join") != false ||
			seen.Number("participant_count") != 0 || seen.Number("seats_left") != 5 {
			t.Errorf("the request shows %s", seen.Body)
		}
		list := org.Get(path + "/participants?status=requested").Want(200)
		if list.Text("items.0.participant.participation_visibility") != "incognito" || list.Number("items.0.participant.party_size") != 3 ||
			list.Text("items.0.profile.user_id") != ann.UserID {
			t.Errorf("the organizer sees %s", list.Body)
		}
		first, second := org.Post(guest+"/approve", nil).Want(200), org.Post(guest+"/approve", nil).Want(200)
		if first.Text("status") != "going" || first.Number("party_size") != 3 || string(first.Body) != string(second.Body) {
			t.Errorf("approved: %s, then %s", first.Body, second.Body)
		}
		if !strings.HasSuffix(guest, first.Text("id")) {
			t.Errorf("the participant %s is not %s", first.Text("id"), guest)
		}
		if got := strings.Join(kinds(org), " "); got != "event_requested" {
			t.Errorf("the organizer is notified of %q", got)
		}
		if got := strings.Join(kinds(ann), " "); got != "request_approved" {
			t.Errorf("the guest is notified of %q", got)
		}
		if n := org.Get(path + "/participants?status=requested").Want(200).Len("items"); n != 0 {
			t.Errorf("%d requests are left", n)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestRequestRefusals is the table of who may ask and decide.
func TestRequestRefusals(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := approving(a, nil)
		guest := ask(ann, path, nil)
		refused(t, a.As("ben"), "POST", guest+"/approve", domain.NotOrganizer)
		refused(t, ann, "POST", guest+"/decline", domain.NotOrganizer)
		refused(t, ann, "DELETE", guest, domain.NotOrganizer)
		refused(t, ann, "POST", path+"/participants/approve", domain.NotOrganizer)
		refused(t, org, "DELETE", guest, domain.BlockedByState)
		refused(t, a.As("ben"), "POST", approving(a, apptest.Fields{"waitlist": "offer", "capacity": 1})+"/waitlist", domain.ApprovalRequired)

		for range 2 {
			declined, again := org.Post(guest+"/decline", nil).Want(200), org.Post(guest+"/decline", nil).Want(200)
			if declined.Text("status") != "declined" || string(again.Body) != string(declined.Body) {
				t.Errorf("declined: %s, then %s", declined.Body, again.Body)
			}
			refused(t, org, "POST", guest+"/approve", domain.BlockedByState)
			ann.Do("POST", path+"/join", nil)
		}
		refused(t, ann, "POST", path+"/join", domain.RequestDeclined)
		if seen := ann.Get(path).Want(200); seen.Text("viewer_participation_status") != "declined" || seen.Get("viewer_can_join") != false {
			t.Errorf("the declined user sees %s", seen.Body)
		}
		if got := strings.Join(kinds(org), " "); got != "event_requested" {
			t.Errorf("the organizer is notified of %q", got)
		}

		withdrawn := ask(a.As("cleo"), path, nil)
		if left := a.As("cleo").Delete(path + "/join").Want(200); left.Text("status") != "left" {
			t.Errorf("a withdrawn request is %s", left.Body)
		}
		refused(t, org, "POST", withdrawn+"/approve", domain.BlockedByState)
		org.Post(path+"/participants/018f3b0a-5c1d-7000-8000-0000000000d1/approve", nil).WantError(404, "not_found")

		late := ask(a.As("dora"), path, nil)
		a.Clock.Advance(9*24*time.Hour + 5*time.Hour)
		refused(t, a.As("emma"), "POST", path+"/join", domain.EventEnded)
		refused(t, a.SignIn(apptest.Email("org")), "POST", late+"/approve", domain.EventEnded)
	}, apptest.StartAt(apptest.Today))
}

// TestApprovalOfFullEvent approves requests of a full event: they enter the waiting list by the time of the request, or are refused.
func TestApprovalOfFullEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := approving(a, apptest.Fields{"capacity": 1})
		org.Post(path+"/join", nil).Want(200)
		refused(t, org, "POST", ask(a.As("ann"), path, nil)+"/approve", domain.EventFull)

		path = approving(a, apptest.Fields{"capacity": 1, "waitlist": "automatic"})
		org.Post(path+"/join", nil).Want(200)
		var guests []string
		for _, name := range []string{"ann", "ben", "cleo"} {
			a.Clock.Advance(time.Minute)
			guests = append(guests, ask(a.As(name), path, apptest.Fields{"participation_visibility": "incognito"}))
		}
		for _, i := range []int{1, 2, 0} { // ann asked first
			approved := org.Post(guests[i]+"/approve", nil).Want(200)
			if approved.Text("status") != "waiting" {
				t.Errorf("approved: %s", approved.Body)
			}
			if again := org.Post(guests[i]+"/approve", nil).Want(200); again.Text("status") != "waiting" {
				t.Errorf("approved again: %s", again.Body)
			}
		}
		a.RunJobs()
		if got := entryOf(a.As("ann"), path) + entryOf(a.As("ben"), path) + entryOf(a.As("cleo"), path); got != "waiting 1waiting 2waiting 3" {
			t.Errorf("the list is %s", got)
		}
		org.Delete(path + "/join").Want(200)
		a.RunJobs()
		seen := a.As("ann").Get(path).Want(200)
		if seen.Text("viewer_participation_status") != "going" || seen.Text("viewer_participation_visibility") != "incognito" {
			t.Errorf("the first who asked sees %s", seen.Body)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestApproveAll approves requests until the event is full.
func TestApproveAll(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path, org := approving(a, apptest.Fields{"capacity": 2}), a.As("org")
		for i := range 4 {
			a.Clock.Advance(time.Second)
			ask(a.As(fmt.Sprint("guest", i)), path, nil)
		}
		all := org.Post(path+"/participants/approve", nil).Want(200)
		if all.Number("approved") != 2 || all.Number("left") != 2 {
			t.Errorf("approved: %s", all.Body)
		}
		org.Patch(path, apptest.Fields{"capacity": nil, "join_policy": "open"}).Want(200)
		joined := a.As("guest3").Post(path+"/join", nil).Want(200)
		if joined.Text("status") != "going" {
			t.Errorf("a join of an open event is %s", joined.Body)
		}
		if all = org.Post(path+"/participants/approve", nil).Want(200); all.Number("approved") != 1 || all.Number("left") != 0 {
			t.Errorf("approved: %s", all.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestRequestLimit fills an event with requests.
func TestRequestLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path := approving(a, nil)
		event := id(t, path[len("/events/"):])
		fill := func(n int) {
			err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
				for range n {
					user := domain.RandomID[any]()
					tx.Queue(t.Context(), attendanceAddUserStmt, user)
					tx.Queue(t.Context(), fillRequestsStmt, event, user)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		fill(999)
		ask(a.As("ann"), path, nil)
		refused(t, a.As("ben"), "POST", path+"/join", domain.RequestLimit)
		ask(a.As("ann"), path, apptest.Fields{"party_size": 2})
	}, apptest.StartAt(apptest.Today))
}

var fillRequestsStmt = db.SQL("attendance.test_fill_requests", `
	INSERT INTO join_requests (event_id, user_id, id, status, party, visibility, declines, created_at, updated_at)
	VALUES ($1, $2, $2, 'pending', 1, 'public', 0, 1, 1)`)

// TestApprovalOfPaidEvent asks before paying: approval offers seats, which the user pays for and takes.
func TestApprovalOfPaidEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		for _, fields := range []apptest.Fields{{"capacity": 1}, {}, {"waitlist": "automatic", "capacity": 1}} {
			fields["join_policy"] = "approval"
			event := onSale(org, fields)
			path := "/events/" + event
			refused(t, ann, "POST", path+"/payment-intents", domain.ApprovalRequired)
			guest := ask(ann, path, nil)
			org.Post(guest+"/approve", nil).Want(200)
			a.RunJobs()
			if seen := ann.Get(path).Want(200); seen.Text("viewer_waitlist.status") != "offered" {
				t.Errorf("%v: the approved user sees %s", fields, seen.Body)
			}
			refused(t, ann, "POST", path+"/join", domain.PaymentRequired)
			notify(t, a, "payment.succeeded", begin(ann, event).Want(201).Text("provider_payment_id"))
			if joined := ann.Post(path+"/join", nil).Want(200); joined.Text("status") != "going" {
				t.Errorf("%v: joined: %s", fields, joined.Body)
			}
			seatsAgree(t, a)
		}
	}, enabled()...)
}

// TestRequestsEnd is the table of what ends a request, and who learns of it.
func TestRequestsEnd(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		path := approving(a, nil)
		blocked := ask(ann, path, nil)
		org.Block(ann)
		org.Post(blocked+"/approve", nil).WantError(404, "not_found")
		ann.Get(path).WantError(404, "not_found")

		ask(ben, path, nil)
		org.Patch(path, apptest.Fields{"starts_at": "2026-06-11T16:00:00Z"}).Want(200)
		org.Post(path+"/cancel", nil).Want(200)
		if got := strings.Join(kinds(ben), " "); got != "event_canceled event_updated" {
			t.Errorf("the user who asked is notified of %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}
