package browser

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

func TestReviews(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"starts_at": apptest.Today.Add(5 * time.Minute), "ends_at": apptest.Today.Add(10 * time.Minute)})
		page := "/events/" + event
		a.As("ann").Join(event)
		a.As("ben").Post(page+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(http.StatusOK)
		ann, ben, nobody := signedIn(t, a, "ann"), signedIn(t, a, "ben"), visitor(t, a)
		ann.open(page).want(t, http.StatusOK, "not", `id="reviews"`)

		a.Clock.Advance(11 * time.Minute)
		a.RunJobs()
		nobody.open(page).want(t, http.StatusOK, "Nobody has reviewed this event yet", "Sign in to read the reviews")
		for _, who := range []string{"org", "stranger"} { // neither was a guest
			signedIn(t, a, who).open(page).want(t, http.StatusOK, "Nobody has reviewed", "not", "reviewEvent")
		}
		fields := url.Values{"event_id": {event}, "body": {"A <i>wonderful</i> evening"}}
		ann.open(page).want(t, http.StatusOK, "reviewEvent", "You were there", "This event is over", "not", "See you there!")
		ann.submit("reviewEvent", page, fields).want(t, http.StatusUnprocessableEntity, "Choose one to five stars", "A &lt;i&gt;wonderful")
		fields.Set("rating", "5")
		ann.submit("reviewEvent", page, fields).redirects(t, page+"#reviews")
		ben.submit("reviewEvent", page, url.Values{"event_id": {event}, "rating": {"4"}, "body": {"Too loud"}}).redirects(t, page+"#reviews")

		nobody.open(page).want(t, http.StatusOK, "4.5", "2 reviews", "not", "wonderful", "Too loud")
		stranger := signedIn(t, a, "stranger")
		stranger.open(page).want(t, http.StatusOK, "A &lt;i&gt;wonderful", "Too loud", "A guest", "5 of 5 stars")
		ann.open(page).want(t, http.StatusOK, "Edit my review", `value="5" required checked`)
		fields.Set("rating", "3")
		ann.submit("reviewEvent", page, fields).redirects(t, page+"#reviews")
		ann.open(page).want(t, http.StatusOK, "3.5", "2 reviews")

		id := org.Get(page + "/reviews").Want(http.StatusOK).Text("items.0.id")
		stranger.open(page).want(t, http.StatusOK, "Report this review", id)
	}, settings...)
}
