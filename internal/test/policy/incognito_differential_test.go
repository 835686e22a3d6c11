package policy

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"moothall/internal/domain"
	"moothall/internal/platform/seal"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

type fields = apptest.Fields

// TestIncognitoLeavesNoTrace reads many pages as four observers, without Uma's
// attendance and with it: incognito from the start, and public first. Only counts
// of participants, votes and reviews may differ, and a review without author. The engines share
// the pages in the short form.
func TestIncognitoLeavesNoTrace(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		w := newFixtureWithEvents(t, a)
		var reads []string
		for i, path := range w.reads(testutil.Rounds(160, 4000) / len(w.observers)) {
			if a.Gets(i) {
				reads = append(reads, path)
			}
		}
		without := w.observe(reads)

		w.attend("incognito")
		w.compare("incognito", reads, without)

		w.attend("public")
		if slices.Equal(without, w.observe(reads)) {
			t.Error("a public attendance shows nowhere: this test can find nothing")
		}
		w.attend("incognito")
		w.compare("public, then incognito", reads, without)

		for _, event := range w.events {
			w.leaves(event)
		}
		w.app.RunJobs()
		w.compare("left again", reads, without)
	}, apptest.StartAt(today))
}

// fixture has events that Uma can join, and observers who could notice.
type fixture struct {
	t         *testing.T
	app       *apptest.App
	uma, org  *apptest.Client
	observers map[string]*apptest.Client

	events   []string // ids of all events
	over     string   // the event that ends soon
	private  string   // the event with invitations for Uma, the follower and the participant, who goes
	full     string   // the event for whose seats Uma waits
	asking   string   // the event that Uma asks to join
	option   string   // path of a date option
	question string   // of the first event, which the participant has answered
	personal []string // paths that only one observer can read

	database string // address, for checks that query it
}

// newFixture signs in the people and gives Uma a follower.
func newFixture(t *testing.T, a *apptest.App) *fixture {
	t.Helper()
	w := &fixture{t: t, app: a, uma: a.As("uma"), org: a.As("org"), observers: map[string]*apptest.Client{
		"anonymous": a.Anonymous(), "stranger": a.As("stranger"), "follower": a.As("follower"), "participant": a.As("participant"),
	}}
	follower, participant := w.observers["follower"], w.observers["participant"]
	follower.Post("/users/"+w.uma.UserID+"/follow", nil).Want(200)
	follower.Post("/users/"+participant.UserID+"/follow", nil).Want(200)
	w.uma.Patch("/me/profile", fields{"display_name": "Uma", "city": "Moscow", "interests": []string{"games"}}).Want(200)
	return w
}

// soon is when the event "over" has ended.
var soon = today.Add(6 * time.Minute)

func newFixtureWithEvents(t *testing.T, a *apptest.App) *fixture {
	t.Helper()
	w := newFixture(t, a)
	participant := w.observers["participant"]
	for i := range 6 {
		w.events = append(w.events, w.meeting(fields{"title": fmt.Sprintf("Chess %d", i), "starts_at": fmt.Sprintf("2026-06-%02dT16:00:00Z",
			2+i)}))
	}
	w.over = w.meeting(fields{"title": "Chess is over", "starts_at": "2026-06-01T09:05:00Z"})
	w.private = w.dinner()
	link := path.Base(w.org.Post("/events/"+w.private+"/invite-links", nil).Want(201).Text("url"))
	w.org.Post("/events/"+w.private+"/email-invitations", fields{"emails": []string{"new@example.net"}}).Want(201)
	mailed := id[domain.InvitationKind](t, w.org.Get("/events/"+w.private+"/email-invitations").Want(200).Text("items.0.id"))
	answer := seal.Keys{Current: []byte(apptest.SecretKey)}.Token("email invitation", mailed[:])
	w.personal = append(w.personal, "/invite-links/"+link, "/i/"+link, "/i/mail/"+answer)
	w.events = append(w.events, w.over, w.private)
	for _, event := range w.events {
		post := w.org.Post("/events/"+event+"/posts", fields{"body": "Welcome."}).Want(201).Text("id")
		participant.Post("/events/"+event+"/posts/"+post+"/comments", fields{"body": "Thanks."}).Want(201)
		option := w.org.Post("/events/"+event+"/date-options", fields{"starts_at": "2026-06-20T16:00:00Z"}).Want(201).Text("id")
		participant.Post("/events/"+event+"/messages", fields{"body": "Hello."}).Want(201)
		if event == w.events[0] {
			w.org.Patch("/events/"+event+"/date-mode", fields{"mode": "vote"}).Want(204)
			w.option = "/events/" + event + "/date-options/" + option + "/votes"
		}
	}
	w.question = w.org.Put("/events/"+w.events[0]+"/questions", fields{"items": []any{fields{"kind": "text", "label": "What do you eat?"}}}).
		Want(200).Text("items.0.id")
	participant.Post("/events/"+w.events[0]+"/join", w.answers("Bread.")).Want(200)
	w.full = w.meeting(fields{"title": "Chess for two", "capacity": 1, "waitlist": "automatic"})
	w.asking = w.published(fields{"title": "Chess by approval", "join_policy": "approval"})
	w.events = append(w.events, w.full, w.asking)
	for i := range 3 { // nobody but Uma will go there
		w.events = append(w.events, w.published(fields{"title": fmt.Sprintf("Chess alone %d", i),
			"starts_at": fmt.Sprintf("2026-06-%02dT16:00:00Z", 3+i)}))
	}
	for _, name := range []string{"follower", "participant"} {
		w.personal = append(w.personal, "/calendar/invites/"+w.observers[name].Get("/calendar/invites").Want(200).Text("items.0.invite.id"),
			"/calendar/feeds/"+path.Base(w.observers[name].Post("/calendar/feed", nil).Want(201).Text("url")))
	}
	w.app.Clock.Set(soon.Add(-time.Second))
	participant.Post("/events/"+w.over+"/reviews", fields{"rating": 4, "body": "Good."}).Want(201)
	w.app.Clock.Set(soon)
	w.app.RunJobs()
	for _, c := range w.observers {
		c.Get("/events") // sessions say when they were last used
	}
	return w
}

// meeting makes a published event to which the participant goes.
func (w *fixture) meeting(changes fields) string {
	w.t.Helper()
	event := w.published(changes)
	w.observers["participant"].Post("/events/"+event+"/join", nil).Want(200)
	return event
}

func (w *fixture) published(changes fields) string {
	w.t.Helper()
	body := fields{"title": "Chess", "category": "games", "city": "Moscow", "lat": 55.75, "lng": 37.62, "starts_at": "2026-06-09T16:00:00Z",
		"capacity": 40, "max_party_size": 3}
	maps.Copy(body, changes)
	event := w.org.Post("/events", body).Want(201).Text("event.id")
	w.org.Post("/events/"+event+"/publish", nil).Want(200)
	return event
}

// dinner makes a private event that has invited Uma, the follower and the
// participant, who goes.
func (w *fixture) dinner() string {
	w.t.Helper()
	event := w.published(fields{"title": "Dinner", "visibility": "private"})
	for _, name := range []string{"uma", "follower", "participant"} {
		w.org.Post("/events/"+event+"/invitations", fields{"email": apptest.Email(name)}).Want(201)
	}
	w.observers["participant"].Patch("/events/"+event+"/rsvp", fields{"status": "accepted"}).Want(200)
	return event
}

// goes lets Uma go to an event with a companion, or changes who sees that she does. She waits for a full event.
func (w *fixture) goes(event, visibility string) {
	w.t.Helper()
	terms := fields{"participation_visibility": visibility, "party_size": 2}
	switch event {
	case w.private:
		terms["status"] = "accepted"
		w.uma.Patch("/events/"+event+"/rsvp", terms).Want(200)
	case w.full:
		w.uma.Post("/events/"+event+"/waitlist", terms).Want(201)
	default:
		if len(w.events) > 0 && event == w.events[0] {
			maps.Copy(terms, w.answers("Cake."))
		}
		w.uma.Post("/events/"+event+"/join", terms).Want(200)
	}
}

// answers answer the question of the first event.
func (w *fixture) answers(text string) fields {
	return fields{"answers": []any{fields{"question_id": w.question, "value": text}}}
}

// leaves undoes goes.
func (w *fixture) leaves(event string) {
	w.t.Helper()
	if event == w.full {
		w.uma.Delete("/events/" + event + "/waitlist").Want(204)
		return
	}
	w.uma.Delete("/events/" + event + "/join").Want(200)
}

// attend lets Uma go everywhere in time, vote, and write a review afterwards.
func (w *fixture) attend(visibility string) {
	w.t.Helper()
	w.app.Clock.Set(today)
	for _, event := range w.events {
		w.goes(event, visibility)
	}
	w.uma.Post(w.option, nil).Want(200)
	w.app.Clock.Set(soon)
	w.uma.Post("/events/"+w.over+"/reviews", fields{"rating": 5, "body": "Splendid."}).Want(201)
	w.app.RunJobs()
}

// reads draws paths that anybody might ask for.
func (w *fixture) reads(n int) []string {
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
			return "/events/" + event() + pick("/posts", "/reviews", "/date-options", "/messages", "/ws", "/reminders", "/calendar.ics",
				"/participants", "/participants?status=requested", "/participants.csv", "/waitlist", "/waitlist/entries")
		},
		func() string {
			return "/events/" + w.events[0] + pick("/questions", "/answers", "/answers.csv", "/answers?mine=true", "/participants.csv",
				"/answers?question_id="+w.question+"&answer=Cake.", "/participants?question_id="+w.question)
		},
		func() string { return "/events/posts?event_id=" + event() + "&event_id=" + event() },
		func() string { return "/users/" + w.uma.UserID + pick("/profile", "/follow", "/block") },
		func() string { return "/users/profiles?" + pick("q=uma", "q=u", "city=Moscow", "limit=3") },
		func() string { return "/feed" + pick("", "?limit=2", "?limit=5") },
		func() string { return "/me/events?role=" + pick("going", "hosting", "invited", "past") },
		func() string {
			return pick("/notifications", "/notifications?limit=2", "/notifications?unread_only=true", "/notifications/unread-count")
		},
		func() string {
			return pick("/calendar/entries", "/calendar/invites", "/calendar/invites?role=outgoing", "/me/reposts", "/me/export", "/me")
		},
		func() string { return pick(w.personal...) },
		func() string { return "/events/" + w.over + "/reviews" },
	}
	paths := make([]string, n)
	for i := range paths {
		paths[i] = kinds[random.IntN(len(kinds))]()
	}
	return paths
}

// observe gives every answer as text, per observer in the order of their names.
func (w *fixture) observe(reads []string) []string {
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
func (w *fixture) compare(world string, reads, without []string) {
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

// difference is text that may differ between answers. Every text that the pattern matches
// has the word, which is much faster to find.
type difference struct {
	word    string
	pattern *regexp.Regexp
}

// allowed are the differences that an incognito attendance may make: how many go, voted and
// wrote a review or wait, how many seats are left, and a review without an author. last_used_at of a session is written in
// the background, at times not at all, and each ticket is new: they say nothing about others.
var allowed = []difference{
	{"Splendid.", regexp.MustCompile(`\{"id":"[^"]+","event_id":"[^"]+","author_user_id":null,"author":null,"rating":5,"body":"Splendid\.",[^{}]+\},?`)},
	{`_count":`, regexp.MustCompile(`"(participant_count|vote_count|review_count|waitlist_count)":\d+`)},
	{`"seats_left":`, regexp.MustCompile(`"seats_left":\d+`)},
	{`"average_rating":`, regexp.MustCompile(`"average_rating":[^,}]+`)},
	{" took part", regexp.MustCompile(`\d+ (person|people) took part`)},
	{" going", regexp.MustCompile(`\d+ (person|people) (is|are) going`)},
	{`"last_used_at":`, regexp.MustCompile(`"last_used_at":"[^"]*"`)},
	{`"ticket":`, regexp.MustCompile(`"ticket":"[^"]*"`)},
}

// seen is an answer without what is different at every call, and numbers.
func seen(r *apptest.Reply) string {
	headers := r.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id"} {
		headers.Del(name)
	}
	body := r.Body
	for _, d := range allowed {
		if bytes.Contains(body, []byte(d.word)) {
			body = d.pattern.ReplaceAll(body, nil)
		}
	}
	if len(body) != len(r.Body) {
		headers.Del("Content-Length")
		if headers.Get("ETag") == fmt.Sprintf(`"%016x"`, xxhash.Sum64(r.Body)) {
			headers.Del("ETag") // it says what the body says
		}
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
