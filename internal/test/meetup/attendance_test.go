package meetup_test

import (
	"regexp"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func attendanceCount(c *apptest.Client, event string) int {
	return int(c.Get("/events/" + event).Want(200).Number("participant_count"))
}

func TestJoinAndLeave(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		join := "/events/" + event + "/join"

		ann.Delete(join).WantError(404, "not_found") // never joined
		first := ann.Post(join, nil).Want(200)
		if first.Text("status") != "going" || first.Text("participation_visibility") != "public" || first.Text("user_id") != ann.UserID ||
			first.Get("left_at") != nil {
			t.Errorf("joined: %s", first.Body)
		}
		if again := ann.Post(join, nil).Want(200); string(again.Body) != string(first.Body) {
			t.Errorf("a retry changed %s to %s", first.Body, again.Body)
		}
		seen := ann.Get("/events/" + event).Want(200)
		if seen.Get("feed_context.viewer_going") != true || seen.Text("viewer_participation_status") != "going" ||
			attendanceCount(ann, event) != 1 {
			t.Errorf("ann sees %s", seen.Body)
		}

		a.Clock.Advance(time.Minute)
		left := ann.Delete(join).Want(200)
		if left.Text("status") != "left" || left.Text("left_at") == "" || left.Text("id") != first.Text("id") {
			t.Errorf("left: %s", left.Body)
		}
		if again := ann.Delete(join).Want(200); string(again.Body) != string(left.Body) {
			t.Errorf("leaving again changed %s to %s", left.Body, again.Body)
		}
		if attendanceCount(ann, event) != 0 {
			t.Error("she is still counted")
		}

		back := ann.Post(join, apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		if back.Text("id") != first.Text("id") || back.Text("joined_at") == first.Text("joined_at") || back.Get("left_at") != nil {
			t.Errorf("back again: %s", back.Body)
		}
		org.Post(join, nil).Want(200) // an organizer may go too
		if attendanceCount(org, event) != 2 {
			t.Error("the incognito guest and the organizer are not both counted")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestWhoMayJoin is the table of contract §4.7.
func TestWhoMayJoin(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		full := org.Publish(apptest.Fields{"capacity": 1})
		a.As("early").Post("/events/"+full+"/join", nil).Want(200)
		canceled := org.Publish(nil)
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		draft := org.Draft(nil)
		for _, row := range []struct {
			who, what, event string
			body             any
			status           int
		}{
			{"ann", "a published public event", org.Publish(nil), nil, 200},
			{"ann", "an event that has begun", org.Publish(apptest.Fields{"starts_at": "2026-06-01T11:00:00Z"}), nil, 200},
			{"ann", "a completed event", org.Publish(apptest.Fields{"starts_at": "2026-05-01T11:00:00Z"}), nil, 403},
			{"ann", "a canceled event", canceled, nil, 403},
			{"ann", "a full event", full, nil, 403},
			{"early", "a full event she is in", full, nil, 200},
			{"org", "their own full event", full, nil, 403},
			{"ann", "a hidden private event", org.Publish(apptest.Fields{"visibility": "private"}), nil, 404},
			{"org", "their own private event", org.Publish(apptest.Fields{"visibility": "private"}), nil, 403},
			{"ann", "a draft", draft, nil, 404},
			{"org", "their own draft", draft, nil, 404},
			{"ann", "an unknown event", "01890a5d-ac96-774b-bcce-b302099a8057", nil, 404},
			{"ann", "with an unknown visibility", org.Publish(nil), apptest.Fields{"participation_visibility": "secret"}, 400},
			{"ann", "for another user", org.Publish(nil), apptest.Fields{"user_id": org.UserID}, 200},
			{"anonymous", "a published public event", org.Publish(nil), nil, 401},
		} {
			t.Run(row.who+" "+row.what, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "anonymous" {
					client = a.As(row.who)
				}
				reply := client.In(t).Post("/events/"+row.event+"/join", row.body).Want(row.status)
				if row.status == 200 && reply.Text("user_id") != client.UserID {
					t.Errorf("another user joined: %s", reply.Body)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestIncognitoIsHiddenFromOthers is policy "Incognito" for participations and the
// event's details.
func TestIncognitoIsHiddenFromOthers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, guest, stranger := a.As("org"), a.As("guest"), a.As("stranger")
		event := org.Publish(nil)
		join, page := "/events/"+event+"/join", "/events/"+event
		before := string(stranger.Get(page).Want(200).Body)

		guest.Post(join, apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		guest.Post(join, nil).Want(200) // a retry does not end it
		if got := guest.Get(page).Text("viewer_participation_visibility"); got != "incognito" {
			t.Errorf("the guest is %s", got)
		}
		if n := org.Get(page).Number("social_proof.incognito_count"); n != 1 {
			t.Errorf("the organizer counts %v incognito", n)
		}
		seen := stranger.Get(page).Want(200)
		if seen.Get("social_proof.incognito_count") != nil || seen.Len("social_proof.participants_preview") != 0 ||
			seen.Header.Get("ETag") == "" {
			t.Errorf("the stranger sees %s", seen.Body)
		}
		if withoutCount(before) != withoutCount(string(seen.Body)) {
			t.Errorf("the stranger sees another change than that of the count:\n%s\n%s", before, seen.Body)
		}
		for who, want := range map[string]int{"guest": 1, "stranger": 0, "org": 0} {
			if n := a.As(who).Get("/events?participant_user_id=" + guest.UserID).Want(200).Len("items"); n != want {
				t.Errorf("%s finds %d events of the guest, want %d", who, n, want)
			}
		}

		guest.Post(join, apptest.Fields{"participation_visibility": "public"}).Want(200)
		if stranger.Get(page).Len("social_proof.participants_preview") != 1 ||
			stranger.Get("/events?participant_user_id="+guest.UserID).Len("items") != 1 {
			t.Error("the guest is public again, but not shown")
		}
		guest.Post(join, apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		if stranger.Get(page).Len("social_proof.participants_preview") != 0 || attendanceCount(stranger, event) != 1 {
			t.Error("the guest is incognito again, but shown or not counted")
		}
	}, apptest.StartAt(apptest.Today))
}

var countField = regexp.MustCompile(`"participant_count":\d+`)

func withoutCount(page string) string { return countField.ReplaceAllString(page, "") }

var countsStmt = db.SQL("attendance.test_counts", `
	SELECT (SELECT CAST(COALESCE(SUM(party), 0) AS BIGINT) FROM participants WHERE status = 'going'), (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM event_slots)`)

// attendanceAgree fails the test unless the counters match the participants.
func attendanceAgree(t *testing.T, a *apptest.App) (going int64) {
	t.Helper()
	var seats int64
	if err := a.DB.One(t.Context(), countsStmt).Scan(&going, &seats); err != nil {
		t.Fatal(err)
	}
	if going != seats {
		t.Fatalf("%d are going, %d are counted", going, seats)
	}
	return going
}

// TestCardsCountSeatsLeft reads the free seats in lists and details after each change, also from the cache.
func TestCardsCountSeatsLeft(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben, anonymous := a.As("org"), a.As("ann"), a.As("ben"), a.Anonymous()
		path := "/events/" + org.Publish(apptest.Fields{"capacity": 2})
		for _, step := range []struct {
			name string
			do   func()
			want any // the value of seats_left, nil if it is absent
		}{
			{"nobody has joined", func() {}, 2.0},
			{"a user joins", func() { ann.Post(path+"/join", nil).Want(200) }, 1.0},
			{"an incognito user joins", func() {
				ben.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
			}, 0.0},
			{"a user leaves", func() { ann.Delete(path + "/join").Want(200) }, 1.0},
			{"the organizer adds seats", func() { org.Patch(path, apptest.Fields{"capacity": 5}).Want(200) }, 4.0},
			{"the organizer removes the capacity", func() { org.Patch(path, apptest.Fields{"capacity": nil}).Want(200) }, nil},
		} {
			step.do()
			for _, c := range []struct {
				name, list, seats string
				reader            *apptest.Client
			}{
				{"list", "/events", "items.0.seats_left", anonymous},
				{"cached list", "/events", "items.0.seats_left", anonymous},
				{"list of a participant", "/events", "items.0.seats_left", ann},
				{"feed", "/feed", "items.0.seats_left", anonymous},
				{"details", path, "seats_left", anonymous},
			} {
				if got := c.reader.Get(c.list).Want(200).Get(c.seats); got != step.want {
					t.Errorf("%s, %s: %v seats left, want %v", step.name, c.name, got, step.want)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}
