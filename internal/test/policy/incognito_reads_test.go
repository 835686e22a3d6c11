package policy

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
)

func listOfParticipant(w *fixture) {
	event := w.meeting(nil)
	list := "/events?participant_user_id="
	w.hidden(event, list+w.uma.UserID, list+w.uma.UserID+"&limit=1", list+w.uma.UserID+"&q=chess",
		list+w.uma.UserID+"&organizer_id="+w.org.UserID)
	never := w.as("never").UserID
	for name, c := range w.others() {
		if of, nobody := c.Get(list+w.uma.UserID), c.Get(list+never); string(of.Body) != string(nobody.Body) {
			w.t.Errorf("%s: %s, of somebody who never went anywhere %s", name, of.Body, nobody.Body)
		}
	}
	if own := w.uma.Get(list + w.uma.UserID); !strings.Contains(string(own.Body), event) {
		w.t.Errorf("Uma: %s", own.Body)
	}
}

func participantCount(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	for name, c := range w.others() {
		page := c.Get("/events/" + event).Want(200)
		if page.Number("participant_count") != 3 || page.Len("social_proof.participants_preview") != 1 {
			w.t.Errorf("%s: %s", name, page.Body)
		}
		if name != "organizer" && strings.Contains(string(page.Body), "incognito") {
			w.t.Errorf("%s is told how many hide: %s", name, page.Body)
		}
	}
}

func viewerGoing(w *fixture) {
	event := w.published(fields{"title": "Nobody but Uma"})
	w.goes(event, "incognito")
	page, list := "/events/"+event, "/events?q=nobody&limit=1"
	for name, c := range w.others() {
		if c.Get(page).Get("feed_context.viewer_going") != false || c.Get(list).Get("items.0.feed_context.viewer_going") != false ||
			c.Get(page).Get("viewer_participation_status") != nil || c.Get(page).Get("viewer_participation_visibility") != nil {
			w.t.Errorf("%s: %s", name, c.Get(page).Body)
		}
	}
	if own := w.uma.Get(page); own.Get("feed_context.viewer_going") != true ||
		w.uma.Get(list).Get("items.0.feed_context.viewer_going") != true ||
		own.Text("viewer_participation_visibility") != "incognito" {
		w.t.Errorf("Uma: %s", own.Body)
	}
}

func socialProof(w *fixture) {
	event := w.meeting(nil)
	w.hidden(event, "/events/"+event)
	page := w.observers["follower"].Get("/events/" + event)
	if page.Number("social_proof.followed_going_count") != 1 ||
		page.Text("social_proof.followed_going.0.user_id") != w.observers["participant"].UserID ||
		page.Len("social_proof.followed_going") != 1 {
		w.t.Errorf("the follower sees %s", page.Body)
	}
	w.unnamed("the follower", w.observers["follower"], "/events/"+event)
}

// feedReasons reads the feed of each observer 25 times with and without Uma.
func feedReasons(w *fixture) {
	event := w.published(nil)
	w.hidden(event, slices.Repeat([]string{"/feed?limit=100"}, 25)...)
	for _, item := range w.observers["follower"].Get("/feed?limit=100").Get("items").([]any) {
		card := item.(map[string]any)
		if reasons := card["feed_context"].(map[string]any)["reasons"].([]any); card["event"].(map[string]any)["id"] == event &&
			slices.Contains(reasons, any("followed_going")) {
			w.t.Errorf("the follower is told %v", reasons)
		}
	}
}

func calendars(w *fixture) {
	event := w.meeting(nil)
	paths := []string{"/calendar/entries", "/calendar/entries?include_canceled=true", "/calendar/invites", "/calendar/invites?role=outgoing",
		"/events/" + event + "/calendar.ics"}
	for _, c := range w.members() {
		paths = append(paths, feedOf(c))
	}
	w.hidden(event, paths...)
	if own := w.uma.Get("/calendar/entries"); !strings.Contains(string(own.Body), event) {
		w.t.Errorf("Uma's own: %s", own.Body)
	}
	w.unnamed("whoever has the link", w.observers["anonymous"], feedOf(w.uma), "/events/"+event+"/calendar.ics")
}

func calendarInvites(w *fixture) {
	w.private = w.dinner()
	invite := func(name string) string {
		return "/calendar/invites/" + w.observers[name].Get("/calendar/invites?limit=1").Want(200).Text("items.0.invite.id")
	}
	follower, participant := invite("follower"), invite("participant")
	w.hidden(w.private, follower, participant, "/calendar/invites", "/events/"+w.private)
	w.unnamed("the follower", w.observers["follower"], follower)
	w.goes(w.private, "public")
	if page := w.observers["follower"].Get(follower); page.Len("participants") != 2 {
		w.t.Errorf("openly she is there: %s", page.Body)
	}
	w.uma.Delete("/events/" + w.private + "/join").Want(200)
}

func profile(w *fixture) {
	user := "/users/" + w.uma.UserID
	w.hidden(w.meeting(nil), user+"/profile", user+"/follow", user+"/block")
}

func profilesOrder(w *fixture) {
	w.hidden(w.meeting(nil), "/users/profiles?q=uma", "/users/profiles?q=u", "/users/profiles?city=Moscow", "/users/profiles?limit=100",
		"/users/profiles?limit=1")
}

// pagination has Vera go to events openly and incognito by turns.
func pagination(w *fixture) {
	vera := w.as("vera")
	for i := range 6 {
		visibility := []string{"incognito", "public"}[i%2]
		vera.Post("/events/"+w.meeting(nil)+"/join", fields{"participation_visibility": visibility}).Want(200)
	}
	list := "/events?participant_user_id=" + vera.UserID
	for name, c := range w.others() {
		for limit, pages := range map[int][]int{1: {1, 1, 1}, 2: {2, 1}, 3: {3}, 6: {3}} {
			var lengths []int
			for cursor := ""; ; {
				page := c.Get(list + "&limit=" + strconv.Itoa(limit) + cursor).Want(200)
				lengths = append(lengths, page.Len("items"))
				next, more := page.Get("next_cursor").(string)
				if !more {
					break
				}
				cursor = "&cursor=" + next
			}
			if !slices.Equal(lengths, pages) {
				w.t.Errorf("%s: pages of %d have %v", name, limit, lengths)
			}
		}
	}
}

// cursors opens every cursor of an observer: neither Uma nor the moment when
// she came is in it.
func cursors(w *fixture) {
	var came time.Time
	event := w.ending(func(event string) {
		w.observers["participant"].Post("/events/"+event+"/join", nil).Want(200)
		w.app.Clock.Advance(1234567 * time.Microsecond)
		came = w.app.Clock.Now()
		w.goes(event, "incognito")
		w.app.Clock.Advance(time.Second)
	})
	w.goes(w.meeting(nil), "incognito")
	w.observers["participant"].Post("/events/"+event+"/reviews", fields{"rating": 5}).Want(201)
	w.app.Clock.Advance(time.Second)
	w.uma.Post("/events/"+event+"/reviews", fields{"rating": 5}).Want(201)
	uma, err := domain.ParseID[domain.UserKind](w.uma.UserID)
	if err != nil {
		w.t.Fatal(err)
	}
	hidden := []string{w.uma.UserID, strings.ReplaceAll(w.uma.UserID, "-", ""), string(uma[:]),
		strconv.FormatInt(came.UnixMicro(), 10), strconv.FormatInt(came.UnixNano(), 10), came.Format(time.RFC3339Nano)}
	for _, path := range []string{"/events?limit=1", "/feed?limit=1", "/notifications?limit=1", "/events/" + event + "/reviews?limit=1"} {
		cursor := w.observers["participant"].Get(path).Want(200).Text("next_cursor")
		opened, _ := base64.RawURLEncoding.DecodeString(cursor) // what is no base64url is read as it is
		for _, secret := range hidden {
			if strings.Contains(cursor, secret) || strings.Contains(string(opened), secret) {
				w.t.Errorf("%s: the cursor %s has %q: %q", path, cursor, secret, opened)
			}
		}
	}
}

func etags(w *fixture) {
	event := w.meeting(nil)
	tags := func(path string) (all []string) {
		for _, name := range []string{"anonymous", "stranger", "follower", "participant"} {
			all = append(all, strings.Join(w.observers[name].Get(path).Want(200).Header["Etag"], " "))
		}
		return all
	}
	page, calendar := tags("/events/"+event), tags("/events/"+event+"/calendar.ics")
	w.app.Clock.Advance(time.Second)
	w.goes(event, "incognito")
	w.app.RunJobs()
	if after := tags("/events/" + event); !slices.Equal(after, page) || slices.Contains(after, "") {
		w.t.Errorf("the page: %q, then %q", page, after)
	}
	if after := tags("/events/" + event + "/calendar.ics"); !slices.Equal(after, calendar) || slices.Contains(after, "") {
		w.t.Errorf("the calendar: %q, then %q", calendar, after)
	}
}

// caches reads as Uma what anybody may read: no cache between may keep it.
func caches(w *fixture) {
	event := w.meeting(nil)
	w.goes(event, "incognito")
	paths := []string{"/events", "/events/map?bbox=37,55,38,56", "/events/" + event, "/events/" + event + "/posts",
		"/events/posts?event_id=" + event,
		"/events/" + event + "/calendar.ics", "/feed", "/users/profiles", "/users/" + w.uma.UserID + "/profile"}
	for _, path := range paths {
		own := w.uma.Get(path).Want(200).Header
		if control := own.Get("Cache-Control"); !strings.Contains(control, "private") {
			w.t.Errorf("%s as Uma: Cache-Control %q", path, control)
		}
		shared := w.observers["anonymous"].Get(path).Want(200).Header
		if control := shared.Get("Cache-Control"); !strings.Contains(control, "no-cache") {
			w.t.Errorf("%s as anybody: Cache-Control %q", path, control)
		}
		for _, h := range []http.Header{own, shared} {
			if vary := strings.Join(h["Vary"], ", "); !strings.Contains(vary, "Authorization") || !strings.Contains(vary, "Cookie") {
				w.t.Errorf("%s: Vary %q", path, vary)
			}
		}
	}
}

func eventMap(w *fixture) {
	event := w.published(fields{"title": "On the map", "lat": -33.86, "lng": 151.2})
	path := "/events/map?bbox=151,-34,152,-33"
	w.hidden(event, path, path+"&limit=1", path+"&zoom=3")
	for name, c := range w.others() {
		if c.Get(path).Get("items.0.feed_context.viewer_going") != false {
			w.t.Errorf("%s: %s", name, c.Get(path).Body)
		}
		w.unnamed(name, c, path)
	}
	if own := w.uma.Get(path); own.Get("items.0.feed_context.viewer_going") != true {
		w.t.Errorf("Uma: %s", own.Body)
	}
}
