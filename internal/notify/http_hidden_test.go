package notify_test

import (
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/db"
	"moothall/internal/meet"
	"moothall/internal/notify"
)

var (
	goneStmt    = db.SQL("test.gone", `DELETE FROM profiles WHERE user_id = $1`)
	commentStmt = db.SQL("test.comment", `
		INSERT INTO comments (post_id, seq, id, author_id, depth, body, created_at, updated_at) VALUES ($1, 1, $2, $3, 1, 'Which hall?', 0, 0)`)
	tombstoneStmt = db.SQL("test.tombstone", `UPDATE comments SET deleted_at = 1 WHERE id = $1`)
)

const comment = "018f4c3e-0000-7000-8000-000000000002"

// shown is what a notification shows of somebody and of an event.
type shown struct {
	title             string
	body, href, event bool
	actor             bool
}

func newest(r *apptest.Reply) shown {
	return shown{
		title: r.Want(200).Text("items.0.title"), body: r.Get("items.0.body") != nil, href: r.Get("items.0.href") != nil,
		event: r.Get("items.0.event_id") != nil, actor: r.Get("items.0.actor") != nil,
	}
}

// TestHiddenActors takes somebody out of the sight of a reader who was told of
// what they did.
func TestHiddenActors(t *testing.T) {
	commented := func(ann meet.UserID) notify.Notification {
		return notify.Notification{To: ann, Kind: notify.PostCommented, Subject: comment}
	}
	for _, c := range []struct {
		name string
		told func(ann meet.UserID) notify.Notification
		hide func(t *testing.T, a *apptest.App, ann, bob meet.UserID, event meet.EventID)
		want shown
	}{
		{"nothing", commented, func(*testing.T, *apptest.App, meet.UserID, meet.UserID, meet.EventID) {},
			shown{"Bob comments on your post about Go", true, true, true, true}},
		{"the reader blocks", commented, func(t *testing.T, a *apptest.App, ann, bob meet.UserID, _ meet.EventID) {
			run(t, a, blockStmt, ann, bob, meet.RandomID[any]())
		}, shown{"Somebody comments on your post about Go", false, true, true, false}},
		{"the actor blocks", commented, func(t *testing.T, a *apptest.App, ann, bob meet.UserID, _ meet.EventID) {
			run(t, a, blockStmt, bob, ann, meet.RandomID[any]())
		}, shown{"Somebody comments on your post about Go", false, true, true, false}},
		{"suspended", commented, func(t *testing.T, a *apptest.App, _, bob meet.UserID, _ meet.EventID) {
			run(t, a, suspendStmt, bob)
		}, shown{"Somebody comments on your post about Go", false, true, true, false}},
		{"deleted", commented, func(t *testing.T, a *apptest.App, _, bob meet.UserID, _ meet.EventID) {
			run(t, a, goneStmt, bob)
		}, shown{"Somebody comments on your post about Go", false, true, true, false}},
		{"the comment is deleted", commented, func(t *testing.T, a *apptest.App, _, _ meet.UserID, _ meet.EventID) {
			id, _ := meet.ParseID[any](comment)
			run(t, a, tombstoneStmt, id)
		}, shown{"Bob comments on your post about Go", false, true, true, true}},
		{"a blocked follower", func(ann meet.UserID) notify.Notification {
			return notify.Notification{To: ann, Kind: notify.UserFollowed}
		}, func(t *testing.T, a *apptest.App, ann, bob meet.UserID, _ meet.EventID) {
			run(t, a, blockStmt, bob, ann, meet.RandomID[any]())
		}, shown{"Somebody follows you now", false, false, true, false}},
		{"incognito by now", func(ann meet.UserID) notify.Notification {
			return notify.Notification{To: ann, Kind: notify.FollowedUserGoing}
		}, func(_ *testing.T, a *apptest.App, _, _ meet.UserID, event meet.EventID) {
			a.As("bob").Post("/events/"+event.String()+"/join", map[string]any{"participation_visibility": "incognito"}).Want(200)
		}, shown{"Somebody is going to Go", true, true, true, false}},
		{"left by now", func(ann meet.UserID) notify.Notification {
			return notify.Notification{To: ann, Kind: notify.FollowedUserGoing}
		}, func(_ *testing.T, a *apptest.App, _, _ meet.UserID, event meet.EventID) {
			a.As("bob").Delete("/events/" + event.String() + "/join").Want(200)
		}, shown{"Somebody is going to Go", true, true, true, false}},
		{"who shares the row", func(ann meet.UserID) notify.Notification {
			return notify.Notification{To: ann, Kind: notify.PostLiked, Subject: post}
		}, func(t *testing.T, a *apptest.App, ann, bob meet.UserID, event meet.EventID) {
			id, _ := meet.ParseID[any](post)
			run(t, a, postStmt, id, event, ann, 3)
			run(t, a, blockStmt, bob, ann, meet.RandomID[any]())
		}, shown{"Somebody and 2 others like your post about Go", true, true, true, false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, a *apptest.App) {
				ann, bob := a.As("ann"), a.As("bob")
				bob.Patch("/me/profile", map[string]any{"display_name": "Bob"}).Want(200)
				org, event := meeting(t, a, nil)
				bob.Post("/events/"+event.String()+"/join", nil).Want(200)
				id, _ := meet.ParseID[any](post)
				run(t, a, postStmt, id, event, userID(t, org), 1)
				answer, _ := meet.ParseID[any](comment)
				run(t, a, commentStmt, id, answer, userID(t, bob))
				n := c.told(userID(t, ann))
				n.Actor, n.Event = userID(t, bob), event
				tell(t, a, n)
				one := ids(ann.Get("/notifications"))[0]
				ann.Post("/notifications/"+one+"/read", nil).Want(200) // what was read is not taken back
				c.hide(t, a, userID(t, ann), userID(t, bob), event)
				r := ann.Get("/notifications")
				if got := newest(r); got != c.want {
					t.Errorf("%+v, want %+v: %s", got, c.want, r.Body)
				}
				if again := ann.Post("/notifications/"+one+"/read", nil).Want(200); again.Text("title") != c.want.title {
					t.Errorf("read by itself: %s", again.Body)
				}
			}, apptest.StartAt(today))
		})
	}
}

// TestHiddenEvents leaves of an event that the reader may not see what is no
// secret: that there was something.
func TestHiddenEvents(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		org, event := meeting(t, a, nil)
		for kind, title := range map[notify.Kind]string{
			notify.EventUpdated: "An event has a new time or place", notify.EventCanceled: "An event is canceled",
			notify.EventInvitation: "Somebody invites you to an event", notify.PaymentCanceled: "Your payment for an event was canceled",
			notify.EventCompleted: "How was the event? Write a review", notify.EventPost: "Somebody writes about an event",
		} {
			b := a.SignIn(string(kind) + "@example.org")
			tell(t, a, notify.Notification{To: userID(t, b), Kind: kind, Actor: userID(t, org), Event: event})
			if got := newest(b.Get("/notifications")); !got.event || !got.href || !got.actor {
				t.Errorf("%s before: %+v", kind, got)
			}
			run(t, a, blockStmt, userID(t, org), userID(t, b), meet.RandomID[any]())
			if got := newest(b.Get("/notifications")); got != (shown{title: title}) {
				t.Errorf("%s: %+v", kind, got)
			}
		}
		private := map[string]any{"title": "Secret", "visibility": "private"}
		_, event = meeting(t, a, private)
		tell(t, a, notify.Notification{To: userID(t, ann), Kind: notify.EventUpdated, Actor: userID(t, org), Event: event})
		if got := newest(ann.Get("/notifications")); got != (shown{title: "An event has a new time or place", actor: true}) {
			t.Errorf("private: %+v", got)
		}
	}, apptest.StartAt(today))
}

// TestIncognitoIsMarked shows an incognito attendance to the organizer as such.
func TestIncognitoIsMarked(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, event := meeting(t, a, nil)
		a.As("bob").Post("/events/"+event.String()+"/join", map[string]any{"participation_visibility": "incognito"}).Want(200)
		for language, want := range map[string]string{"en": "Incognito: only you are told.", "ru": "Инкогнито: об этом знаете только вы."} {
			if r := org.With("Accept-Language", language).Get("/notifications").Want(200); r.Text("items.0.body") != want {
				t.Errorf("%s", r.Body)
			}
		}
	}, apptest.StartAt(today))
}
