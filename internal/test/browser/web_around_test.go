package browser

import (
	"maps"
	"net/http"
	"net/url"
	"testing"

	"moothall/internal/test/apptest"
)

// TestEventLeadsToOthers opens what stands around an event: other events of the organizer, and similar ones nearby.
func TestEventLeadsToOthers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, other := a.As("org"), a.As("other")
		chess := apptest.Fields{"category": "chess", "city": "Berlin", "lat": 52.52, "lng": 13.405}
		with := func(changes apptest.Fields) apptest.Fields {
			fields := apptest.Fields{}
			for _, of := range []apptest.Fields{chess, changes} {
				maps.Copy(fields, of)
			}
			return fields
		}
		event := org.Publish(with(apptest.Fields{"title": "Chess in the park"}))
		for range 4 {
			org.Publish(apptest.Fields{"title": "Tea of the organizer", "category": "food", "city": "Tokyo"})
		}
		org.Publish(with(apptest.Fields{"title": "Fifth of the organizer", "starts_at": apptest.Today.AddDate(0, 0, 90)}))
		other.Publish(with(apptest.Fields{"title": "Chess nearby", "lat": 52.4}))
		other.Publish(with(apptest.Fields{"title": "Chess far away", "lat": 48.1}))
		other.Publish(with(apptest.Fields{"title": "Running nearby", "category": "sports"}))
		other.Publish(with(apptest.Fields{"title": "Chess behind a door", "visibility": "private"}))
		private := org.Publish(apptest.Fields{"title": "Secret tea", "visibility": "private", "category": nil})
		noPlace := other.Publish(apptest.Fields{"title": "Chess anywhere", "category": "chess", "city": nil})
		inCity := other.Publish(apptest.Fields{"title": "Chess in Berlin", "category": "chess", "city": "Berlin"})
		for _, c := range []struct {
			name, event, as string
			status          int
			want            []string
		}{
			{"public", event, "", 200, []string{"followUser", "Tea of the organizer", "Fifth of the organizer", "Chess nearby",
				"not", "<h3><a href=\"/e/chess-in-the-park", "Chess far away", "Running nearby", "Chess behind a door", "Secret tea"}},
			{"own", event, "org", 200, []string{"Tea of the organizer", "not", "followUser"}},
			{"without a place", noPlace, "", 200, []string{"Chess nearby", "not", "Similar events"}}, // of the same organizer
			{"in a city", inCity, "", 200, []string{"Similar events", "Fifth of the organizer", "not", "Tea of the organizer"}},
			{"private, for its organizer", private, "org", 200, []string{"Tea of the organizer", "not", "Similar events"}},
			{"private", private, "", 404, []string{"not", "Secret tea", "Tea of the organizer"}},
			{"unknown", "018f3b0a-5c1d-7000-8000-000000000000", "", 404, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				b := visitor(t, a)
				if c.as != "" {
					b = signedIn(t, a, c.as)
				}
				b.open("/events/"+c.event+"/around").want(t, c.status, c.want...)
			})
		}
		visitor(t, a).open("/events/"+event).want(t, http.StatusOK, `href="/events/`+event+`/around"`, "not", "Tea of the organizer")
	}, settings...)
}

// TestFollowOrganizerBesideEvent follows the organizer of an event, with htmx on the page of the event, or without.
func TestFollowOrganizerBesideEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		around, page := "/events/"+event+"/around", pageOf(org, event)
		form := url.Values{"user_id": {org.ID().String()}, "part": {"1"}}
		htmx := []string{"HX-Request", "true", "HX-Current-URL", origin + page}
		to := visitor(t, a).submit("followUser", around, form, htmx...).Header.Get("HX-Redirect")
		if to != "/login?return_to="+url.QueryEscape(page) {
			t.Errorf("a visitor who must sign in goes to %q", to)
		}
		ann := signedIn(t, a, "ann")
		ann.open(around).want(t, http.StatusOK, "followUser", "not", "unfollowUser")
		ann.submit("followUser", around, form, htmx...).redirects(t, around)
		ann.open(around).want(t, http.StatusOK, "unfollowUser")
		ann.submit("unfollowUser", around, form).redirects(t, around)
		ann.open(around).want(t, http.StatusOK, "not", "unfollowUser")
		org.Post("/users/"+a.As("ann").ID().String()+"/block", nil).Want(http.StatusOK)
		ann.open(around).want(t, http.StatusNotFound)
	}, settings...)
}
