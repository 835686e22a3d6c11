package meetup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	notifications "moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var unreadStmt = db.SQL("event.test_unread", `
	SELECT n.kind, n.event_id, p.username FROM notifications n LEFT JOIN profiles p ON p.user_id = n.actor_id
	WHERE n.user_id = $1 AND n.read_at IS NULL ORDER BY n.created_at, n.kind`)

// unread returns the unread notifications of a user, as "kind by actor".
func unread(t *testing.T, a *apptest.App, who string, actors map[string]string) []string {
	t.Helper()
	a.RunJobs()
	id, err := domain.ParseID[domain.UserKind](a.As(who).UserID)
	if err == nil {
		err = (&notifications.Service{DB: a.DB, Clock: a.Clock.Now}).Receive(t.Context(), []domain.UserID{id})
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := db.All(t.Context(), a.DB, func(row db.Row, s *string) error {
		var kind string
		var event *domain.EventID
		var actor *string
		if err := row.Scan(&kind, &event, &actor); err != nil {
			return err
		}
		*s = kind
		if actor != nil {
			*s += " by " + actors[*actor]
		}
		return nil
	}, unreadStmt, id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var eventFollowStmt = db.SQL("event.test_follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3)`)

// follow inserts a follow, without a notification.
func follow(t *testing.T, a *apptest.App, follower, followed string) {
	t.Helper()
	from, _ := domain.ParseID[domain.UserKind](a.As(follower).UserID)
	to, _ := domain.ParseID[domain.UserKind](a.As(followed).UserID)
	if _, err := a.DB.Exec(t.Context(), eventFollowStmt, from, to, apptest.Today); err != nil {
		t.Fatal(err)
	}
}

var eventBlockStmt = db.SQL("event.test_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)

// blockOnly inserts a block that does not end follows.
func blockOnly(t *testing.T, a *apptest.App, blocker, blocked string) {
	t.Helper()
	from, _ := domain.ParseID[domain.UserKind](a.As(blocker).UserID)
	to, _ := domain.ParseID[domain.UserKind](a.As(blocked).UserID)
	if _, err := a.DB.Exec(t.Context(), eventBlockStmt, from, to, domain.RandomID[domain.UserKind](), apptest.Today); err != nil {
		t.Fatal(err)
	}
}

// TestOperationsNotify is the table of contract §8 for events and attendance.
func TestOperationsNotify(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		actors := map[string]string{
			org.Get("/me").Text("profile.username"):   "org",
			guest.Get("/me").Text("profile.username"): "guest",
		}
		follow(t, a, "fan", "org")
		follow(t, a, "friend", "guest")
		follow(t, a, "enemy", "org")
		blockOnly(t, a, "enemy", "org")
		follow(t, a, "enemy", "guest") // must not be notified of an event that is hidden from them

		id := org.Publish(nil)
		path := "/events/" + id
		guest.Post(path+"/join", nil).Want(200)
		guest.Post(path+"/join", nil).Want(200)
		org.Post(path+"/join", nil).Want(200)
		expect := func(step string, want map[string][]string) {
			t.Helper()
			for _, who := range []string{"org", "guest", "fan", "friend", "enemy", "stranger"} {
				if found := unread(t, a, who, actors); !slices.Equal(found, want[who]) {
					t.Errorf("%s: %s was notified of %v, want %v", step, who, found, want[who])
				}
			}
		}
		want := map[string][]string{
			"fan": {"followed_user_event by org", "followed_user_going by org"}, "friend": {"followed_user_going by guest"}, "org": {"event_joined by guest"},
		}
		expect("published and joined", want)

		a.Clock.Advance(time.Minute)
		org.Patch(path, apptest.Fields{"title": "Go in the park"}).Want(200) // neither time nor place
		expect("renamed", want)
		org.Patch(path, apptest.Fields{"location_text": "At the fountain"}).Want(200)
		want["guest"] = []string{"event_updated by org"}
		expect("moved", want)

		guest.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		want["friend"] = nil
		expect("incognito", want)
		guest.Post(path+"/join", apptest.Fields{"participation_visibility": "public"}).Want(200)
		want["friend"] = []string{"followed_user_going by guest"}
		expect("public again", want)
		guest.Delete(path + "/join").Want(200)
		want["friend"] = nil
		expect("left", want)
		guest.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		expect("back incognito", want)

		a.Clock.Advance(time.Minute)
		org.Post(path+"/cancel", apptest.Fields{"message": "a\u0007b"}).WantError(400, "invalid_request")
		org.Post(path+"/cancel", apptest.Fields{"message": strings.Repeat("x", 501)}).WantError(400, "invalid_request")
		a.As("stranger").Post(path+"/cancel", apptest.Fields{"message": "a\u0007b"}).WantError(404, "not_found")
		org.Post(path+"/cancel", apptest.Fields{"message": " It rains.\r\nSorry! "}).Want(200)
		org.Post(path+"/cancel", apptest.Fields{"message": "Again"}).Want(200)
		want["guest"] = []string{"event_updated by org", "event_canceled by org"}
		expect("canceled", want)
		if got := guest.Get("/notifications").Want(200).Get("items.0.body"); got != "It rains.\nSorry!" {
			t.Errorf("the message of the organizer: %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSweepNotifiesOnce asks participants for a review once, and removes the
// event from the posting lists.
func TestSweepNotifiesOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		id := org.Publish(apptest.Fields{"title": "Chess", "starts_at": "2026-06-01T12:05:00Z", "city": "Moscow", "lat": 55.75, "lng": 37.62})
		guest.Post("/events/"+id+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		private := org.Publish(apptest.Fields{"starts_at": "2026-06-01T12:05:00Z", "visibility": "private"})
		a.Clock.Advance(4 * time.Hour)
		for range 2 {
			a.Clock.Advance(time.Minute)
			want := []string{"event_completed"}
			if found := unread(t, a, "guest", nil); !slices.Equal(found, want) {
				t.Errorf("the guest was notified of %v", found)
			}
		}
		var listed, terms, cells int64
		if err := a.DB.One(t.Context(), leftStmt).Scan(&listed, &terms, &cells); err != nil {
			t.Fatal(err)
		}
		if left := fmt.Sprint(listed, terms, cells); left != "0 0 0" {
			t.Errorf("still listed: %s (%s is private)", left, private)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSweptEventStaysCompleted sets the clock of an instance behind that of the instance
// that swept: the event must stay completed.
func TestSweptEventStaysCompleted(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Publish(apptest.Fields{"starts_at": "2026-06-01T12:05:00Z", "ends_at": "2026-06-01T12:10:00Z"})
		a.Clock.Set(apptest.Today.Add(11 * time.Minute))
		a.RunJobs()
		a.Clock.Set(apptest.Today.Add(9 * time.Minute))
		org.Patch(path, apptest.Fields{"ends_at": "2026-06-01T18:00:00Z"}).WantError(403, "forbidden")
		org.Patch(path+"/date-mode", apptest.Fields{"mode": "vote"}).WantError(403, "forbidden")
		org.Post(path+"/cancel", nil).WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}

var leftStmt = db.SQL("event.test_left", `
	SELECT (SELECT COUNT(*) FROM events WHERE listed OR NOT swept), (SELECT COUNT(*) FROM event_terms), (SELECT COUNT(*) FROM event_cells)`)
