package identity_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var (
	commentStmt = db.SQL("test.comment", `
		INSERT INTO comments (post_id, seq, id, author_id, depth, body, created_at, updated_at) VALUES ($1, 1, $2, $3, 1, 'Which hall?', 0, 0)`)
	tombstoneStmt = db.SQL("test.tombstone", `UPDATE comments SET deleted_at = 1 WHERE id = $1`)
)

// shown lists the parts of a notification that its recipient sees.
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

// scene is an event of Olga. Ann was notified of an action of Bob on it.
type scene struct {
	t             *testing.T
	a             *apptest.App
	ann, bob      *apptest.Client
	event         domain.EventID
	post, comment domain.ID[any]
}

func newScene(t *testing.T, a *apptest.App, name string) scene {
	t.Helper()
	s := scene{t: t, a: a, ann: a.As("ann-" + name), bob: a.As("bob-" + name), post: domain.RandomID[any](), comment: domain.RandomID[any]()}
	s.bob.Patch("/me/profile", apptest.Fields{"display_name": "Bob"}).Want(200)
	var org *apptest.Client
	org, s.event = olgasEvent(t, a, nil)
	s.join("public")
	run(t, a, postStmt, s.post, s.event, userID(t, org), 3)
	run(t, a, commentStmt, s.post, s.comment, userID(t, s.bob))
	return s
}

func (s scene) join(visibility string) {
	s.bob.Post("/events/"+s.event.String()+"/join", apptest.Fields{"participation_visibility": visibility}).Want(200)
}

func (s scene) block(blocker, blocked *apptest.Client) {
	run(s.t, s.a, notifyBlockStmt, userID(s.t, blocker), userID(s.t, blocked), domain.RandomID[any]())
}

// hiddenActors lists changes to Bob, and the parts of his notification that Ann then
// sees.
var hiddenActors = []struct {
	name string
	kind notify.Kind
	do   func(s scene)
	want shown
}{
	{"nothing", notify.PostCommented, func(scene) {}, shown{"Bob comments on your post about Go", true, true, true, true}},
	{"the reader blocks", notify.PostCommented, func(s scene) { s.block(s.ann, s.bob) },
		shown{"Somebody comments on your post about Go", false, true, true, false}},
	{"the actor blocks", notify.PostCommented, func(s scene) { s.block(s.bob, s.ann) },
		shown{"Somebody comments on your post about Go", false, true, true, false}},
	{"suspended", notify.PostCommented, func(s scene) { run(s.t, s.a, notifySuspendStmt, userID(s.t, s.bob)) },
		shown{"Somebody comments on your post about Go", false, true, true, false}},
	{"deleted", notify.PostCommented, func(s scene) { s.bob.Delete("/me").Want(204) },
		shown{"Somebody comments on your post about Go", false, true, true, false}},
	{"the comment is deleted", notify.PostCommented, func(s scene) { run(s.t, s.a, tombstoneStmt, s.comment) },
		shown{"Bob comments on your post about Go", false, true, true, true}},
	{"a blocked follower", notify.UserFollowed, func(s scene) { s.block(s.bob, s.ann) },
		shown{"Somebody follows you now", false, false, true, false}},
	{"incognito by now", notify.FollowedUserGoing, func(s scene) { s.join("incognito") },
		shown{"Somebody is going to Go", true, true, true, false}},
	{"left by now", notify.FollowedUserGoing, func(s scene) { s.bob.Delete("/events/" + s.event.String() + "/join").Want(200) },
		shown{"Somebody is going to Go", true, true, true, false}},
	{"an actor who shares the row", notify.PostLiked, func(s scene) { s.block(s.bob, s.ann) },
		shown{"Somebody and 2 others like your post about Go", true, true, true, false}},
}

// TestHiddenActorIsNotNamed hides the actor of a notification that its recipient has
// read: such a notification is not retracted.
func TestHiddenActorIsNotNamed(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, c := range hiddenActors {
			s := newScene(t, a, strings.ReplaceAll(c.name, " ", ""))
			n := notify.Notification{To: userID(t, s.ann), Kind: c.kind, Actor: userID(t, s.bob), Event: s.event}
			n.Subject = map[notify.Kind]string{notify.PostCommented: s.comment.String(), notify.PostLiked: s.post.String()}[c.kind]
			put(t, a, n)
			one := ids(s.ann.Get("/notifications"))[0]
			s.ann.Post("/notifications/"+one+"/read", nil).Want(200)
			c.do(s)
			r := s.ann.Get("/notifications")
			if got := newest(r); got != c.want {
				t.Errorf("%s: %+v, want %+v: %s", c.name, got, c.want, r.Body)
			}
			if again := s.ann.Post("/notifications/"+one+"/read", nil).Want(200); again.Text("title") != c.want.title {
				t.Errorf("%s, as the response of readNotification: %s", c.name, again.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestCalendarInviteQuotesEntry checks that an invite quotes its entry for both users.
func TestCalendarInviteQuotesEntry(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		entry := func(changes apptest.Fields) string {
			body := apptest.Fields{"title": "Lunch", "starts_at": "2026-06-03T10:00:00Z", "timezone": "Europe/Berlin", "location_text": "At Luigi's",
				"invitee_user_ids": []string{bob.UserID}}
			maps.Copy(body, changes)
			a.Clock.Advance(time.Second)
			return ann.Post("/calendar/entries", body).Want(201).Text("id")
		}
		body := func(c *apptest.Client) any { return c.Get("/notifications?limit=1").Get("items.0.body") }

		entry(apptest.Fields{"title": "Holiday", "all_day": true, "location_text": nil})
		if got := body(bob); got != "Holiday\n3 June 2026" {
			t.Errorf("all day: %v", got)
		}
		id := entry(nil)
		const lunch = "Lunch\n3 June 2026, 12:00 (Europe/Berlin), At Luigi's"
		if got := body(bob); got != lunch {
			t.Errorf("invite: %v", got)
		}
		bob.Patch("/calendar/invites/"+bob.Get("/calendar/invites").Text("items.0.invite.id"), apptest.Fields{"status": "declined"}).Want(200)
		if got := body(ann); got != lunch {
			t.Errorf("answer: %v", got)
		}
		ann.Delete("/calendar/entries/" + id).Want(200)
		if got := body(bob); got != nil {
			t.Errorf("canceled: %v", got)
		}
		entry(nil)
		run(t, a, notifyBlockStmt, userID(t, ann), userID(t, bob), domain.RandomID[any]())
		if got := body(bob); got != nil {
			t.Errorf("blocked: %v", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestHiddenEventIsNotNamed checks that notifications about an event that the reader
// may not see show neither its title nor a link.
func TestHiddenEventIsNotNamed(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		org, event := olgasEvent(t, a, nil)
		for kind, title := range map[notify.Kind]string{
			notify.EventUpdated: "An event has a new time or place", notify.EventCanceled: "An event is canceled",
			notify.EventInvitation: "Somebody invites you to an event", notify.PaymentCanceled: "Your payment for an event was canceled",
			notify.EventCompleted: "How was the event? Write a review", notify.EventPost: "Somebody writes about an event",
		} {
			b := a.SignIn(string(kind) + "@example.org")
			put(t, a, notify.Notification{To: userID(t, b), Kind: kind, Actor: userID(t, org), Event: event})
			if got := newest(b.Get("/notifications")); !got.event || !got.href || !got.actor {
				t.Errorf("%s before: %+v", kind, got)
			}
			run(t, a, notifyBlockStmt, userID(t, org), userID(t, b), domain.RandomID[any]())
			if got := newest(b.Get("/notifications")); got != (shown{title: title}) {
				t.Errorf("%s: %+v", kind, got)
			}
		}
		private := map[string]any{"title": "Secret", "visibility": "private"}
		_, event = olgasEvent(t, a, private)
		put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.EventUpdated, Actor: userID(t, org), Event: event})
		if got := newest(ann.Get("/notifications")); got != (shown{title: "An event has a new time or place", actor: true}) {
			t.Errorf("private: %+v", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestOrganizerSeesIncognitoJoin checks that the notification says that a join is
// incognito.
func TestOrganizerSeesIncognitoJoin(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, event := olgasEvent(t, a, nil)
		a.As("bob").Post("/events/"+event.String()+"/join", map[string]any{"participation_visibility": "incognito"}).Want(200)
		for language, want := range map[string]string{"en": "Incognito: only you are told.", "ru": "Инкогнито: об этом знаете только вы."} {
			if r := org.With("Accept-Language", language).Get("/notifications").Want(200); r.Text("items.0.body") != want {
				t.Errorf("%s", r.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
