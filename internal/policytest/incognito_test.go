package policytest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moothall/internal/apptest"
)

// fields is a body of POST or PATCH.
type fields = map[string]any

// TestIncognitoLeavesNoTrace reads a world a thousand times, as four observers,
// without Uma's attendance and with it: incognito from the start, and public
// first. Nothing but the number of participants may differ, in any answer.
// INCOGNITO_READS is another number.
func TestIncognitoLeavesNoTrace(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		w := newParty(t, a)
		reads := w.reads(numberOf(t, "INCOGNITO_READS", 1000) / len(w.observers))
		without := w.observe(reads)

		w.attend("incognito")
		w.compare("incognito", reads, without)

		w.attend("public")
		if slices.Equal(without, w.observe(reads)) {
			t.Error("a public attendance shows nowhere: this test sees nothing")
		}
		w.attend("incognito")
		w.compare("public, then incognito", reads, without)

		for _, event := range w.events {
			w.uma.Delete("/events/" + event + "/join").Want(200)
		}
		w.settle()
		w.compare("left again", reads, without)
	}, apptest.StartAt(today))
}

// numberOf reads how much a longer run does, from the environment.
func numberOf(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// party is a few events that Uma could go to, and who could notice.
type party struct {
	t         *testing.T
	app       *apptest.App
	uma, org  *apptest.Client
	observers map[string]*apptest.Client
	events    []string
}

func newParty(t *testing.T, a *apptest.App) *party {
	t.Helper()
	w := &party{t: t, app: a, uma: a.As("uma"), org: a.As("org"), observers: map[string]*apptest.Client{
		"anonymous": a.Anonymous(), "stranger": a.As("stranger"), "follower": a.As("follower"), "participant": a.As("participant"),
	}}
	follower, participant := w.observers["follower"], w.observers["participant"]
	follower.Post("/users/"+w.uma.UserID+"/follow", nil).Want(200)
	follower.Post("/users/"+participant.UserID+"/follow", nil).Want(200)
	w.uma.Patch("/me/profile", fields{"display_name": "Uma", "city": "Moscow", "interests": []string{"games"}}).Want(200)
	for i := range 6 {
		event := w.org.Post("/events", fields{"title": fmt.Sprintf("Chess %d", i), "category": "games", "city": "Moscow", "lat": 55.75, "lng": 37.62,
			"starts_at": fmt.Sprintf("2026-06-%02dT16:00:00Z", 2+i), "capacity": 40}).Want(201).Text("event.id")
		w.org.Post("/events/"+event+"/publish", nil).Want(200)
		participant.Post("/events/"+event+"/join", nil).Want(200)
		post := w.org.Post("/events/"+event+"/posts", fields{"body": "Welcome."}).Want(201).Text("id")
		participant.Post("/events/"+event+"/posts/"+post+"/comments", fields{"body": "Thanks."}).Want(201)
		w.org.Post("/events/"+event+"/date-options", fields{"starts_at": "2026-06-20T16:00:00Z"}).Want(201)
		participant.Post("/events/"+event+"/messages", fields{"body": "Hello."}).Want(201)
		w.events = append(w.events, event)
	}
	w.settle()
	return w
}

// attend lets Uma go everywhere, or changes who sees that she does.
func (w *party) attend(visibility string) {
	w.t.Helper()
	for _, event := range w.events {
		w.uma.Post("/events/"+event+"/join", fields{"participation_visibility": visibility}).Want(200)
	}
	w.settle()
}

// settle lets the jobs end that the doings have left.
func (w *party) settle() {
	w.t.Helper()
	w.app.RunJobs()
}

// reads draws paths that anybody might ask for.
func (w *party) reads(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	event := func() string { return pick(w.events...) }
	kinds := []func() string{
		func() string {
			return "/events?" + pick("participant_user_id="+w.uma.UserID, "organizer_id="+w.org.UserID, "q=chess", "city=Moscow", "category=games",
				"lat=55.75&lng=37.62&radius_km=5", "price=free") + pick("", "&limit=2", "&limit=3&cursor=2026-06-03T16:00:00.5Z")
		},
		func() string { return "/events/" + event() },
		func() string {
			return "/events/map?bbox=37,55,38,56" + pick("", "&limit=3", "&category=games")
		},
		func() string {
			return "/events/" + event() + pick("/posts", "/reviews", "/date-options", "/messages", "/ws", "/reminders", "/calendar.ics")
		},
		func() string { return "/events/posts?event_id=" + event() + "&event_id=" + event() },
		func() string { return "/users/" + w.uma.UserID + pick("/profile", "/follow", "/block") },
		func() string { return "/users/profiles?" + pick("q=uma", "q=u", "city=Moscow", "limit=3") },
		func() string { return "/feed" + pick("", "?limit=2", "?limit=5") },
		func() string {
			return pick("/notifications", "/notifications?limit=2", "/notifications?unread_only=true", "/notifications/unread-count")
		},
		func() string {
			return pick("/calendar/entries", "/calendar/invites", "/calendar/invites?role=outgoing", "/me/reposts", "/me/export", "/me")
		},
	}
	paths := make([]string, n)
	for i := range paths {
		paths[i] = kinds[random.IntN(len(kinds))]()
	}
	return paths
}

// observe gives every answer as text, per observer in the order of their names.
func (w *party) observe(reads []string) []string {
	w.t.Helper()
	var answers []string
	for _, name := range slices.Sorted(maps.Keys(w.observers)) {
		for _, path := range reads {
			answers = append(answers, seen(w.observers[name].Get(path)))
		}
	}
	return answers
}

// compare reads again and complains of the first answers that differ.
func (w *party) compare(world string, reads, without []string) {
	w.t.Helper()
	names, differ := slices.Sorted(maps.Keys(w.observers)), 0
	for i, with := range w.observe(reads) {
		if with == without[i] {
			continue
		}
		if differ++; differ <= 5 {
			w.t.Errorf("%s: %s as %s:\nwithout %s\nwith    %s", world, reads[i%len(reads)], names[i/len(reads)], without[i], with)
		}
	}
	if differ > 0 {
		w.t.Errorf("%s: %d of %d answers differ", world, differ, len(without))
	}
}

// numbers are what an incognito attendance may change: how many go. An ETag is
// made of the whole answer, so it may tell that the number changed.
var numbers = regexp.MustCompile(`"participant_count":\d+`)

func seen(r *apptest.Reply) string {
	headers := r.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id"} {
		headers.Del(name)
	}
	body := string(r.Body)
	if strings.Contains(body, `"participant_count":`) {
		headers.Del("ETag")
		body = numbers.ReplaceAllString(body, `"participant_count":0`)
	}
	return fmt.Sprintf("%d %v %s", r.Status, lines(headers), body)
}

func lines(h http.Header) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		list = append(list, name+": "+strings.Join(h[name], ", "))
	}
	return list
}
