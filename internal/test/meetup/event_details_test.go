package meetup_test

import (
	"testing"

	"moothall/internal/meetup/event"
	"moothall/internal/test/apptest"
)

func TestRatingAverage(t *testing.T) {
	for _, row := range []struct {
		reviews, stars int64
		want           float64
	}{{1, 5, 5}, {3, 14, 4.67}, {3, 13, 4.33}, {8, 35, 4.38}, {200, 201, 1.01}, {400, 401, 1}, {7, 7, 1}, {1_000_000_000, 4_995_000_000, 5}} {
		if got := (event.Rating{Reviews: row.reviews, Stars: row.stars}).Average(); got == nil || *got != row.want {
			t.Errorf("%d stars in %d reviews: %v, want %v", row.stars, row.reviews, got, row.want)
		}
	}
	if got := (event.Rating{}).Average(); got != nil {
		t.Errorf("no reviews: %v", *got)
	}
}

// TestConferenceURLOnlyForParticipants checks that participants and the organizer see the
// conference URL.
func TestConferenceURLOnlyForParticipants(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		path := "/events/" + org.Publish(apptest.Fields{"conference_url": "https://meet.example.com/x"})
		guest.Post(path+"/join", nil).Want(200)
		a.As("left").Post(path+"/join", nil).Want(200)
		a.As("left").Delete(path + "/join").Want(200)
		for who, shown := range map[string]bool{"org": true, "guest": true, "left": false, "stranger": false} {
			if got := a.As(who).Get(path).Get("event.conference_url") != nil; got != shown {
				t.Errorf("%s sees the conference URL: %v", who, got)
			}
		}
		if a.Anonymous().Get(path).Get("event.conference_url") != nil {
			t.Error("anonymous callers see the conference URL")
		}
	}, apptest.StartAt(apptest.Today))
}

func TestParticipantsCannotJoinAgain(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path := "/events/" + a.As("org").Publish(nil)
		for _, who := range []string{"guest", "incognito", "left"} {
			a.As(who).Post(path+"/join",
				apptest.Fields{"participation_visibility": map[bool]string{true: "incognito", false: "public"}[who == "incognito"]}).Want(200)
		}
		a.As("left").Delete(path + "/join").Want(200)
		for who, want := range map[string]bool{"guest": false, "incognito": false, "left": true, "stranger": true, "org": true} {
			if got := a.As(who).Get(path).Get("viewer_can_join"); got != want {
				t.Errorf("%s can join: %v, want %v", who, got, want)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
