package meetup_test

import (
	"fmt"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// told returns how many notifications of a kind a user has.
func told(c *apptest.Client, kind string) (n int) {
	reply := c.Get("/notifications?limit=100").Want(200)
	for i := range reply.Len("items") {
		if reply.Text(fmt.Sprintf("items.%d.kind", i)) == kind {
			n++
		}
	}
	return n
}

// TestWaitlistFollowsChanges changes an event with a list: ann has an offer of two seats, and ben waits for one.
func TestWaitlistFollowsChanges(t *testing.T) {
	type fields = apptest.Fields
	for _, row := range []struct {
		name            string
		change          func(a *apptest.App, path string)
		ann, ben        string // their entries, and how many notifications of annKind and benKind they get
		annKind, noKind string
	}{
		{"a higher capacity", func(a *apptest.App, path string) { a.As("org").Patch(path, fields{"capacity": 4}).Want(200) },
			"offered", "offered", "waitlist_offer", "waitlist_expired"},
		{"no capacity", func(a *apptest.App, path string) { a.As("org").Patch(path, fields{"capacity": nil}).Want(200) },
			"offered", "offered", "waitlist_offer", "waitlist_expired"},
		{"a lower capacity", func(a *apptest.App, path string) { a.As("org").Patch(path, fields{"capacity": 2}).Want(200) },
			"waiting 1", "offered", "waitlist_offer", "waitlist_expired"},
		{"a capacity of those who go", func(a *apptest.App, path string) { a.As("org").Patch(path, fields{"capacity": 1}).Want(200) },
			"waiting 1", "waiting 2", "waitlist_offer", "waitlist_expired"},
		{"a smaller party", func(a *apptest.App, path string) { a.As("org").Patch(path, fields{"max_party_size": 1}).Want(200) },
			"offered", "waiting 1", "waitlist_offer", "waitlist_expired"},
		{"switched off", func(a *apptest.App, path string) { a.As("org").Patch(path, fields{"waitlist": "off"}).Want(200) },
			"offered", "closed", "waitlist_offer", "waitlist_expired"},
		{"canceled", func(a *apptest.App, path string) { a.As("org").Post(path+"/cancel", nil).Want(200) },
			"closed", "closed", "event_canceled", "waitlist_joined"},
		{"moved", func(a *apptest.App, path string) {
			a.As("org").Patch(path, fields{"starts_at": "2026-06-11T16:00:00Z"}).Want(200)
		},
			"offered", "waiting 1", "event_updated", "waitlist_expired"},
		{"moved to an earlier time", func(a *apptest.App, path string) {
			a.As("org").Patch(path, fields{"starts_at": "2026-06-01T14:00:00Z"}).Want(200)
			if until := a.As("ann").Get(path).Text("viewer_waitlist.offer_expires_at"); until != "2026-06-01T14:00:00Z" {
				panic(until)
			}
		}, "offered", "waiting 1", "event_updated", "waitlist_expired"},
		{"a block", func(a *apptest.App, _ string) { a.As("org").Block(a.As("stranger")) },
			"offered", "waiting 1", "waitlist_offer", "waitlist_expired"},
		{"ann leaves the list", func(a *apptest.App, path string) { a.As("ann").Delete(path + "/waitlist").Want(204) },
			"left", "offered", "waitlist_offer", "waitlist_expired"},
		{"ann is removed", func(a *apptest.App, path string) {
			entry := a.As("ann").Get(path + "/waitlist").Text("id")
			a.As("org").Delete(path + "/waitlist/entries/" + entry).Want(204)
		}, "removed", "offered", "waitlist_offer", "waitlist_expired"},
		{"ann takes one seat", func(a *apptest.App, path string) {
			a.As("ann").Post(path+"/join", fields{"party_size": 1}).Want(200)
		}, "joined", "offered", "waitlist_offer", "waitlist_expired"},
		{"ann takes both", func(a *apptest.App, path string) { a.As("ann").Post(path+"/join", nil).Want(200) },
			"joined", "waiting 1", "waitlist_offer", "waitlist_expired"},
	} {
		t.Run(row.name, func(t *testing.T) {
			apptest.Rules(t, func(t *testing.T, a *apptest.App) {
				path := waitlisted(a, 1, "offer", fields{"capacity": 3})
				ann, ben, two := a.As("ann"), a.As("ben"), a.As("two")
				two.Post(path+"/join", fields{"party_size": 2}).Want(200)
				ann.Post(path+"/waitlist", fields{"party_size": 2}).Want(201)
				ben.Post(path+"/waitlist", nil).Want(201)
				two.Delete(path + "/join").Want(200)
				a.RunJobs()
				if got := entryOf(ann, path) + entryOf(ben, path); got != "offeredwaiting 1" {
					t.Fatalf("before: %s", got)
				}
				row.change(a, path)
				a.RunJobs()
				if ann, ben := entryOf(ann, path), entryOf(ben, path); ann != row.ann || ben != row.ben {
					t.Errorf("ann %s, ben %s; want %s, %s", ann, ben, row.ann, row.ben)
				}
				if told(ann, row.annKind) != 1 || told(ann, row.noKind) != 0 {
					t.Errorf("ann has %s", ann.Get("/notifications").Body)
				}
				seatsAgree(t, a)
			}, apptest.StartAt(apptest.Today))
		})
	}
}

// TestWaitlistEndsWithAccess ends entries with the account, the invitation, a block and the start of the event.
func TestWaitlistEndsWithAccess(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path := waitlisted(a, 2, "offer", apptest.Fields{"visibility": "public"})
		ann, ben, cleo, dora := a.As("ann"), a.As("ben"), a.As("cleo"), a.As("dora")
		for _, c := range []*apptest.Client{ann, ben, cleo, dora} {
			c.Post(path+"/waitlist", nil).Want(201)
		}
		a.As("full0").Delete(path + "/join").Want(200)
		a.RunJobs()
		a.As("org").Block(ann) // her offer goes to ben
		a.RunJobs()
		if got := entryOf(ben, path) + entryOf(cleo, path); got != "offeredwaiting 1" {
			t.Errorf("after the block: %s", got)
		}
		ben.Delete("/me").Want(204) // his offer goes to cleo
		a.RunJobs()
		if got := entryOf(cleo, path) + entryOf(dora, path); got != "offeredwaiting 1" {
			t.Errorf("after the deletion: %s", got)
		}
		seatsAgree(t, a)
		a.Clock.Advance(9*24*time.Hour + 4*time.Hour) // the start
		a.RunJobs()
		cleo, dora = a.SignIn(apptest.Email("cleo")), a.SignIn(apptest.Email("dora"))
		if got := entryOf(cleo, path) + entryOf(dora, path); got != "closedclosed" {
			t.Errorf("after the start: %s", got)
		}
		if told(dora, "waitlist_expired") != 1 {
			t.Errorf("dora has %s", dora.Get("/notifications").Body)
		}
		cleo.Post(path+"/waitlist", nil).WantError(403, "forbidden")
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestWaitlistOfPrivateEvent lets invited guests wait, and promotes one, which accepts the invitation.
func TestWaitlistOfPrivateEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := private(org, apptest.Fields{"capacity": 1, "waitlist": "automatic", "starts_at": "2026-06-10T16:00:00Z"})
		path := "/events/" + event
		for _, name := range []string{"ann", "ben", "cleo"} {
			a.As(name)
			attendanceInvite(org, event, name).Want(201)
		}
		rsvp := func(name, status string) *apptest.Reply {
			return a.As(name).Patch(path+"/rsvp", apptest.Fields{"status": status})
		}
		rsvp("ann", "accepted").Want(200)
		a.As("ben").Post(path+"/waitlist", nil).Want(201)
		a.As("cleo").Post(path+"/waitlist", nil).Want(201)
		rsvp("ben", "declined").Want(200)
		rsvp("ann", "declined").Want(200)
		a.RunJobs()
		if got := entryOf(a.As("ben"), path) + entryOf(a.As("cleo"), path); got != "leftjoined" {
			t.Errorf("the list is %s", got)
		}
		if got := a.As("cleo").Get(path).Text("viewer_invitation_status"); got != "accepted" {
			t.Errorf("cleo's invitation is %s", got)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

var fillListStmt = db.SQL("attendance.test_fill_list", `
	INSERT INTO waitlist_entries (event_id, user_id, id, status, party, visibility, missed, place, created_at, updated_at)
	VALUES ($1, $2, $2, 'waiting', 1, 'public', 0, $3, 1, 1)`)

// TestWaitlistLimit fills a list.
func TestWaitlistLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path := waitlisted(a, 1, "offer", nil)
		event := id(t, path[len("/events/"):])
		err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
			for i := range 5000 - 1 {
				user := id(t, fmt.Sprintf("00000000-0000-7000-8000-%012d", i))
				tx.Queue(t.Context(), attendanceAddUserStmt, user)
				tx.Queue(t.Context(), fillListStmt, event, user, i+1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if entry := a.As("ann").Post(path+"/waitlist", nil).Want(201); entry.Get("position") != nil {
			t.Errorf("the last of 5000 is told %v", entry.Get("position"))
		}
		refused := a.As("ben").With("Accept", "application/problem+json").Post(path+"/waitlist", nil).Want(403)
		if refused.Text("reason") != "waitlist_full" {
			t.Errorf("%s", refused.Body)
		}
		if n := a.As("org").Get(path + "/waitlist/entries?status=waiting&limit=100").Want(200).Len("items"); n != 100 {
			t.Errorf("the organizer sees %d", n)
		}
	}, apptest.StartAt(apptest.Today))
}
