package identity_test

import (
	"fmt"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

const unknownUser = "01890a5d-ac96-774b-bcce-b302099a8057"

func follow(c *apptest.Client) string { return "/users/" + c.UserID + "/follow" }

func block(c *apptest.Client) string { return "/users/" + c.UserID + "/block" }

func TestFollow(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		want := func(r *apptest.Reply, following, followedBy bool, followers, followed float64) {
			t.Helper()
			r.Want(200)
			if r.Get("following") != following || r.Get("followed_by") != followedBy || (r.Get("followed_at") != nil) != following ||
				r.Number("follower_count") != followers || r.Number("following_count") != followed {
				t.Errorf("%s", r.Body)
			}
		}
		want(ann.Get(follow(bob)), false, false, 0, 0)
		first := ann.Post(follow(bob), nil)
		want(first, true, false, 1, 0)
		a.Clock.Advance(time.Minute)
		if again := ann.Post(follow(bob), nil); string(again.Body) != string(first.Body) {
			t.Errorf("a retry changed %s to %s", first.Body, again.Body)
		}
		want(bob.Get(follow(ann)), false, true, 0, 1)
		want(bob.Post(follow(ann), nil), true, true, 1, 1)
		if first.Text("user_id") != bob.UserID || first.Text("followed_at") != "2026-06-01T12:00:00Z" {
			t.Errorf("%s", first.Body)
		}
		want(ann.Delete(follow(bob)), false, true, 0, 1)
		want(ann.Delete(follow(bob)), false, true, 0, 1)
		want(bob.Get(follow(ann)), true, false, 1, 0)

		want(ann.Get(follow(ann)), false, false, 1, 0) // one's own status
		ann.Post(follow(ann), nil).WantError(400, "invalid_request")
		for _, method := range []string{"GET", "POST", "DELETE"} {
			ann.Do(method, "/users/"+unknownUser+"/follow", nil).WantError(404, "not_found")
			ann.Do(method, "/users/nonsense/follow", nil).WantError(400, "invalid_request")
			a.Anonymous().Do(method, follow(ann), nil).WantError(401, "unauthorized")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestFollowNotifiesOnce checks that unfollowing retracts the notification unless it
// was read.
func TestFollowNotifiesOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob, carl := a.As("ann"), a.As("bob"), a.As("carl")
		wantNotifications := func(c *apptest.Client, want int) string {
			t.Helper()
			list := c.Get("/notifications").Want(200)
			if n := list.Len("items"); n != want {
				t.Fatalf("%d notifications, want %d: %s", n, want, list.Body)
			}
			if want == 0 {
				return ""
			}
			if list.Text("items.0.kind") != "user_followed" || list.Text("items.0.href") != "/users/"+ann.UserID ||
				list.Text("items.0.actor.user_id") != ann.UserID {
				t.Errorf("%s", list.Body)
			}
			return list.Text("items.0.id")
		}
		for range 2 {
			ann.Post(follow(bob), nil).Want(200)
			ann.Post(follow(carl), nil).Want(200)
		}
		wantNotifications(ann, 0)
		wantNotifications(carl, 1)
		id := wantNotifications(bob, 1)
		ann.Delete(follow(carl)).Want(200)
		wantNotifications(carl, 0)
		bob.Post("/notifications/"+id+"/read", nil).Want(200)
		ann.Delete(follow(bob)).Want(200)
		wantNotifications(bob, 1)
		ann.Post(follow(bob), nil).Want(200) // within 24 hours: no new notification
		if bob.Get("/notifications/unread-count").Want(200).Number("unread_count") != 0 {
			t.Error("a repeated follow was notified again")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestBlock checks each effect of contract §3 UserBlock, in both directions.
func TestBlock(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, by := range []string{"ann", "bob"} {
			testBlock(t, a, by)
		}
	}, apptest.StartAt(apptest.Today))
}

func testBlock(t *testing.T, a *apptest.App, by string) {
	t.Helper()
	ann, bob := a.SignIn("ann."+by+"@example.org"), a.SignIn("bob."+by+"@example.org")
	blocker, blocked := ann, bob
	if by == "bob" {
		blocker, blocked = bob, ann
	}
	for _, c := range []*apptest.Client{ann, bob} { // otherwise nobody finds them
		c.Patch("/me/profile", apptest.Fields{"display_name": "Somebody"}).Want(200)
	}
	event := ann.Publish(nil)
	bob.Join(event)
	secret := ann.Draft(apptest.Fields{"visibility": "private"})
	ann.Post("/events/"+secret+"/invitations", apptest.Fields{"email": "bob." + by + "@example.org"}).Want(201)
	ann.Post(follow(bob), nil).Want(200)
	bob.Post(follow(ann), nil).Want(200)
	a.RunJobs()

	first := blocker.Post(block(blocked), nil).Want(200)
	if first.Text("blocker_user_id") != blocker.UserID || first.Text("blocked_user_id") != blocked.UserID {
		t.Errorf("%s", first.Body)
	}
	if again := blocker.Post(block(blocked), nil).Want(200); string(again.Body) != string(first.Body) {
		t.Errorf("a retry changed %s to %s", first.Body, again.Body)
	}
	if s := blocker.Get(block(blocked)).Want(200); s.Get("blocked") != true || s.Text("blocked_at") != first.Text("created_at") {
		t.Errorf("the blocker sees %s", s.Body)
	}
	if s := blocked.Get(block(blocker)).Want(200); s.Get("blocked") != false || s.Get("blocked_at") != nil {
		t.Errorf("the blocked user sees %s", s.Body)
	}
	for what, got := range map[string]int{
		"the blocker's profile for the blocked user": blocked.Get("/users/" + blocker.UserID + "/profile").Status,
		"ann's follow":                    ann.Post(follow(bob), nil).Status,
		"bob's follow":                    bob.Post(follow(ann), nil).Status,
		"ann's follow state":              ann.Get(follow(bob)).Status,
		"bob's follow state":              bob.Get(follow(ann)).Status,
		"bob's look at the event":         bob.Get("/events/" + event).Status,
		"bob's look at the private event": bob.Get("/events/" + secret).Status,
		"bob's next join":                 bob.Post("/events/"+event+"/join", nil).Status,
	} {
		if got != 404 {
			t.Errorf("by %s: %s: status %d", by, what, got)
		}
	}
	blocker.Get("/users/" + blocked.UserID + "/profile").Want(200) // the blocker still sees the profile
	for what, got := range map[string]int{
		"events of ann that bob finds":  bob.Get("/events?organizer_id=" + ann.UserID).Want(200).Len("items"),
		"people that ann finds":         ann.Get("/users/profiles?q=" + usernameOf(bob)).Want(200).Len("items"),
		"people that bob finds":         bob.Get("/users/profiles?q=" + usernameOf(ann)).Want(200).Len("items"),
		"notifications of ann":          ann.Get("/notifications?unread_only=true").Want(200).Len("items"),
		"notifications of bob":          bob.Get("/notifications?unread_only=true").Want(200).Len("items"),
		"participants of ann's event":   int(ann.Get("/events/" + event).Want(200).Number("participant_count")),
		"faces at ann's event":          ann.Get("/events/" + event).Want(200).Len("social_proof.participants_preview"),
		"events to which bob goes, ann": ann.Get("/events?participant_user_id=" + bob.UserID).Want(200).Len("items"),
	} {
		if got != 0 {
			t.Errorf("by %s: %s: %d", by, what, got)
		}
	}
	id, err := domain.ParseID[domain.EventKind](secret)
	if err != nil {
		t.Fatal(err)
	}
	var invitation string
	if err := a.DB.One(t.Context(), invitationStmt, id).Scan(&invitation); err != nil || invitation != "declined" {
		t.Errorf("by %s: the invitation is %q, %v", by, invitation, err)
	}

	blocker.Delete(block(blocked)).Want(204)
	blocker.Delete(block(blocked)).Want(204)
	after := bob.Get(follow(ann)).Want(200)
	if after.Get("following") != false || after.Number("follower_count") != 0 ||
		bob.Get("/events/"+event).Want(200).Text("viewer_participation_status") != "left" {
		t.Errorf("by %s: after the unblock: %s", by, after.Body)
	}
}

var invitationStmt = db.SQL("relation_test.invitation", `SELECT status FROM invitations WHERE event_id = $1`)

func usernameOf(c *apptest.Client) string {
	return c.Get("/me").Want(200).Text("profile.username")
}

func TestBlockRefusesUnknownUsersAndSelf(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		ann.Post(block(ann), nil).WantError(400, "invalid_request")
		ann.Post("/users/"+unknownUser+"/block", nil).WantError(404, "not_found")
		ann.Delete("/users/" + unknownUser + "/block").Want(204)
		if s := ann.Get("/users/" + unknownUser + "/block").Want(200); s.Get("blocked") != false {
			t.Errorf("%s", s.Body)
		}
		for _, method := range []string{"GET", "POST", "DELETE"} {
			ann.Do(method, "/users/nonsense/block", nil).WantError(400, "invalid_request")
			a.Anonymous().Do(method, block(ann), nil).WantError(401, "unauthorized")
		}
		ann.Post(block(bob), nil).Want(200)
		bob.Post(block(ann), nil).Want(200) // each may block the other
		ann.Delete(block(bob)).Want(204)
		ann.Get(follow(bob)).WantError(404, "not_found") // his block remains
	})
}

// TestFollowerCountStaysExact lets many users follow and unfollow one user
// concurrently: each is counted once.
func TestFollowerCountStaysExact(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		star := a.As("star")
		fans := a.Crowd()
		apptest.Concurrently(2*apptest.Crowd, func(i int) {
			fan := fans[i%apptest.Crowd].On(i)
			fan.Post(follow(star), nil).Want(200)
			fan.Delete(follow(star)).Want(200)
			fan.Post(follow(star), nil).Want(200)
		})
		apptest.Concurrently(apptest.Crowd, func(i int) { fans[i].On(i).Post(follow(star), nil).Want(200) })
		for instance := range 3 {
			if n := fans[0].On(instance).Get(follow(star)).Want(200).Number("follower_count"); n != float64(apptest.Crowd) {
				t.Errorf("instance %d counts %v followers", instance, n)
			}
		}
		apptest.Concurrently(apptest.Crowd, func(i int) {
			if i%2 == 0 {
				fans[i].On(i).Delete(follow(star)).Want(200)
			}
		})
		if n := fans[0].Get(follow(star)).Want(200).Number("follower_count"); n != float64(apptest.Crowd/2) {
			t.Errorf("%v followers are left", n)
		}
		if n := int(star.Get("/notifications/unread-count").Want(200).Number("unread_count")); n != apptest.Crowd/2 {
			t.Errorf("%d notifications", n)
		}
	}, apptest.Instances(3))
}

// TestFollowRacesBlock lets pairs follow and block each other concurrently: no
// follow survives a block.
func TestFollowRacesBlock(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		const pairs = 20
		people := make([]*apptest.Client, 2*pairs)
		for i := range people {
			people[i] = a.As(fmt.Sprintf("p%d", i))
		}
		apptest.Concurrently(4*pairs, func(i int) {
			one, other := people[i%(2*pairs)].On(i), people[(i%(2*pairs))^1]
			switch {
			case i < 2*pairs:
				one.Post(follow(other), nil)
			case i%2 == 0:
				one.Post(block(other), nil).Want(200)
			default:
				one.Post(follow(other), nil)
			}
		})
		var left int
		if err := a.DB.One(t.Context(), followsStmt).Scan(&left); err != nil || left != 0 {
			t.Errorf("%d follows survived a block, %v", left, err)
		}
		ids := make([]string, apptest.Crowd)
		apptest.Concurrently(apptest.Crowd, func(i int) { ids[i] = people[1].On(i).Post(block(people[2]), nil).Want(200).Text("id") })
		for _, id := range ids {
			if id != ids[0] {
				t.Fatalf("two blocks, %s and %s", id, ids[0])
			}
		}
	}, apptest.Instances(3))
}

var followsStmt = db.SQL("relation_test.follows", `SELECT COUNT(*) FROM follows`)
