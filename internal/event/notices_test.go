package event_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var toldStmt = db.SQL("event.test_told", `
	SELECT n.kind, n.event_id, p.username FROM notifications n LEFT JOIN profiles p ON p.user_id = n.actor_id
	WHERE n.user_id = $1 AND n.read_at IS NULL ORDER BY n.created_at, n.kind`)

// told gives the unread notifications of a person, as "kind by actor".
func told(t *testing.T, a *apptest.App, who string, actors map[string]string) []string {
	t.Helper()
	a.RunJobs()
	id, err := domain.ParseID[domain.UserKind](a.As(who).UserID)
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
	}, toldStmt, id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var followStmt = db.SQL("event.test_follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3)`)

func follow(t *testing.T, a *apptest.App, follower, followed string) {
	t.Helper()
	from, _ := domain.ParseID[domain.UserKind](a.As(follower).UserID)
	to, _ := domain.ParseID[domain.UserKind](a.As(followed).UserID)
	if _, err := a.DB.Exec(t.Context(), followStmt, from, to, today); err != nil {
		t.Fatal(err)
	}
}

// TestWhoIsTold is the table of contract §8 for what events and attendance make.
func TestWhoIsTold(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		actors := map[string]string{
			org.Get("/me").Text("profile.username"):   "org",
			guest.Get("/me").Text("profile.username"): "guest",
		}
		follow(t, a, "fan", "org")
		follow(t, a, "friend", "guest")
		follow(t, a, "enemy", "org")
		block(t, a, a.As("enemy"), org)
		follow(t, a, "enemy", "guest") // would learn of an event that is hidden from them

		id := published(org, nil)
		path := "/events/" + id
		guest.Post(path+"/join", nil).Want(200)
		guest.Post(path+"/join", nil).Want(200)
		org.Post(path+"/join", nil).Want(200)
		expect := func(step string, want map[string][]string) {
			t.Helper()
			for _, who := range []string{"org", "guest", "fan", "friend", "enemy", "stranger"} {
				if found := told(t, a, who, actors); !slices.Equal(found, want[who]) {
					t.Errorf("%s: %s was told %v, want %v", step, who, found, want[who])
				}
			}
		}
		want := map[string][]string{
			"fan": {"followed_user_event by org", "followed_user_going by org"}, "friend": {"followed_user_going by guest"}, "org": {"event_joined by guest"},
		}
		expect("published and joined", want)

		a.Clock.Advance(time.Minute)
		org.Patch(path, fields{"title": "Go in the park"}).Want(200) // neither time nor place
		expect("renamed", want)
		org.Patch(path, fields{"location_text": "At the fountain"}).Want(200)
		want["guest"] = []string{"event_updated by org"}
		expect("moved", want)

		guest.Post(path+"/join", fields{"participation_visibility": "incognito"}).Want(200)
		want["friend"] = nil
		expect("incognito", want)
		guest.Post(path+"/join", fields{"participation_visibility": "public"}).Want(200)
		want["friend"] = []string{"followed_user_going by guest"}
		expect("public again", want)
		guest.Delete(path + "/join").Want(200)
		want["friend"] = nil
		expect("left", want)
		guest.Post(path+"/join", fields{"participation_visibility": "incognito"}).Want(200)
		expect("back incognito", want)

		a.Clock.Advance(time.Minute)
		org.Post(path+"/cancel", nil).Want(200)
		want["guest"] = []string{"event_updated by org", "event_canceled by org"}
		expect("canceled", want)
	}, apptest.StartAt(today))
}

// TestCompletionIsToldOnce asks the people who went for a review, once, and
// takes the event out of the posting lists.
func TestCompletionIsToldOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		id := published(org, fields{"title": "Chess", "starts_at": "2026-06-01T12:05:00Z", "city": "Moscow", "lat": 55.75, "lng": 37.62})
		guest.Post("/events/"+id+"/join", fields{"participation_visibility": "incognito"}).Want(200)
		private := published(org, fields{"starts_at": "2026-06-01T12:05:00Z", "visibility": "private"})
		a.Clock.Advance(4 * time.Hour)
		for range 2 {
			a.Clock.Advance(time.Minute)
			want := []string{"event_completed"}
			if found := told(t, a, "guest", nil); !slices.Equal(found, want) {
				t.Errorf("the guest was told %v", found)
			}
		}
		var listed, terms, cells int64
		if err := a.DB.One(t.Context(), leftStmt).Scan(&listed, &terms, &cells); err != nil {
			t.Fatal(err)
		}
		if left := fmt.Sprint(listed, terms, cells); left != "0 0 0" {
			t.Errorf("left of the listed events: %s (%s is private)", left, private)
		}
	}, apptest.StartAt(today))
}

// TestOverStaysOver lets the clock of an instance be behind that of the one
// that has told people of the end: nobody makes the event go on, out of sight.
func TestOverStaysOver(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + published(org, fields{"starts_at": "2026-06-01T12:05:00Z", "ends_at": "2026-06-01T12:10:00Z"})
		a.Clock.Set(today.Add(11 * time.Minute))
		a.RunJobs()
		a.Clock.Set(today.Add(9 * time.Minute))
		org.Patch(path, fields{"ends_at": "2026-06-01T18:00:00Z"}).WantError(403, "forbidden")
		org.Patch(path+"/date-mode", fields{"mode": "vote"}).WantError(403, "forbidden")
		org.Post(path+"/cancel", nil).WantError(403, "forbidden")
	}, apptest.StartAt(today))
}

var leftStmt = db.SQL("event.test_left", `
	SELECT (SELECT COUNT(*) FROM events WHERE listed OR NOT swept), (SELECT COUNT(*) FROM event_terms), (SELECT COUNT(*) FROM event_cells)`)
