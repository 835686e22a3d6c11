package bench

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/meet"
)

// operation is one kind of request, measured by itself.
type operation struct {
	name    string
	does    string
	callers []int  // how many at a time, each number measured
	needs   string // the operation that must run before, or empty
	alone   bool   // each request waits for the jobs that the one before has left
	most    int    // requests at a stretch, which are dear: never more callers than named; 0: any number

	// make gives the request number n of all, made by a caller; more is false
	// when there are no more.
	make   func(caller, n int) (r request, more bool)
	answer func(caller int, body []byte) error // may be nil
	made   atomic.Int64
}

func (o *operation) next(caller int) (request, bool) {
	return o.make(caller, int(o.made.Add(1)-1))
}

var (
	fewAndMany = []int{16, 256}
	some       = []int{16}
	all        = []int{1, 16, 64, 256}
)

// requests makes the operations of one world.
type requests struct {
	facts
	tokens    []string // access tokens, one a person
	refreshes []string // refresh tokens of other sessions, one a caller

	mu     sync.Mutex
	drafts []draft

	popular []draft // of an organizer whom very many follow

	circle circle
}

func (q *requests) operations() []*operation {
	return slices.Concat(q.reads(), q.circle.reads(), q.changes(), q.circle.changes())
}

func (q *requests) reads() []*operation {
	get := func(name, does string, callers []int, target func(n int) string) *operation {
		return &operation{name: name, does: does, callers: callers, make: func(_, n int) (request, bool) {
			return request{method: "GET", target: target(n)}, true
		}}
	}
	near := func(radius string) func(int) string {
		return func(n int) string {
			p := placeOf(n)
			return "/events?lat=" + degrees(p.lat) + "&lng=" + degrees(p.lng) + "&radius_km=" + radius
		}
	}
	detailAs := get("detail signed in", "GET /events/{event_id}, with a session", some, nil)
	detailAs.make = func(_, n int) (request, bool) {
		return request{method: "GET", target: q.detail(n), token: q.tokens[n%len(q.tokens)]}, true
	}
	return []*operation{
		get("list", "GET /events, the first page of 20", all, func(int) string { return "/events" }),
		get("list cold", "GET /events, every request another page", fewAndMany, func(n int) string {
			return "/events?cursor=" + cursorOf(n)
		}),
		get("nearby 5 km", "GET /events around a place in one of eight cities", some, near("5")),
		get("nearby 50 km", "the same, wider", some, near("50")),
		get("nearby 500 km", "the same, widest", some, near("500")),
		get("text rare", "GET /events?q= with a word of at most 20 events", some, func(n int) string { return searchFor(q.rare, n) }),
		get("text common", "GET /events?q= with one of the commonest words", some, func(n int) string { return searchFor(q.common, n) }),
		get("map of a city", "GET /events/map, a box of some 20 km, the first 100", some, func(n int) string {
			p := placeOf(n)
			return fmt.Sprintf("/events/map?bbox=%s,%s,%s,%s&limit=100", degrees(p.lng-0.15), degrees(p.lat-0.1), degrees(p.lng+0.15), degrees(p.lat+0.1))
		}),
		get("detail", "GET /events/{event_id}", some, q.detail),
		detailAs,
		get("feed", "GET /feed, the first page of 20, without a session", some, func(int) string { return "/feed" }),
		{name: "feed signed in", does: "the same by people who follow 500 organizers each", callers: some, make: q.feed},
	}
}

func (q *requests) changes() []*operation {
	return []*operation{
		{name: "create", does: "POST /events: a draft", callers: []int{64}, make: q.create, answer: q.created},
		{name: "publish", does: "POST /events/{event_id}/publish of such a draft", callers: []int{1, 64}, needs: "create", make: q.publish},
		{
			name: "publish followed", does: "the same by an organizer with 100,000 followers, all of whom are told",
			callers: []int{1}, most: 4, alone: true, make: q.publishFollowed,
		},
		{name: "join", does: "POST /events/{event_id}/join, each request another event", callers: []int{1, 16, 256}, make: q.join},
		{name: "join hot", does: "the same, 256 people join one event, then the next", callers: []int{256}, make: q.joinHot},
		{name: "refresh", does: "POST /auth/refresh, each caller its own session", callers: []int{64}, make: q.refresh, answer: q.refreshed},
	}
}

// place is somewhere that people meet.
type place struct{ lat, lng float64 }

var cities = []place{
	{52.52, 13.405}, {55.7558, 37.6173}, {48.8566, 2.3522}, {41.0082, 28.9784}, {40.4168, -3.7038}, {52.3676, 4.9041}, {59.9343, 30.3351}, {52.2297, 21.0122},
}

// placeOf is another place for every n, within 3 km of the middle of a city.
func placeOf(n int) place {
	c, u := cities[n%len(cities)], spread(n)
	return place{c.lat + 0.04*(float64(u>>48)/(1<<16)-0.5), c.lng + 0.04*(float64(u>>32&0xffff)/(1<<16)-0.5)}
}

// spread gives 64 well mixed bits for every n (SplitMix64).
func spread(n int) uint64 {
	u := (uint64(n) + 1) * 0x9e3779b97f4a7c15
	u = (u ^ u>>30) * 0xbf58476d1ce4e5b9
	u = (u ^ u>>27) * 0x94d049bb133111eb
	return u ^ u>>31
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', 5, 64) }

// cursorOf is another moment for every n, within 300 days.
func cursorOf(n int) string {
	const days = uint64(300 * 24 * time.Hour)
	return epoch.Add(time.Duration(spread(n) % days)).Format("2006-01-02T15:04:05.000000000Z")
}

func searchFor(words []string, n int) string {
	return "/events?q=" + url.QueryEscape(words[n%len(words)])
}

func (q *requests) detail(n int) string { return "/events/" + q.open[n*7%len(q.open)].String() }

// draft is an event that waits to be published by the person of a token.
type draft struct{ id, token string }

func (d draft) publish() request {
	return request{method: "POST", target: "/events/" + d.id + "/publish", token: d.token}
}

// create makes drafts all over Europe and the year.
func (q *requests) create(caller, n int) (request, bool) {
	p := placeOf(n)
	body := fmt.Sprintf(`{"title":"Board games at number %d","description":"Come as you are, newcomers are welcome. We meet upstairs.",`+
		`"category":"games","starts_at":%q,"city":"Berlin","location_text":"Bench street %d","lat":%s,"lng":%s}`,
		n, epoch.Add(time.Duration(24+n%8000)*time.Hour).Format(time.RFC3339), n%300+1, degrees(p.lat), degrees(p.lng))
	return request{method: "POST", target: "/events", token: q.tokens[caller], body: body}, true
}

// created keeps the draft for publish.
func (q *requests) created(caller int, body []byte) error {
	id, err := textIn(body, "id")
	q.mu.Lock()
	defer q.mu.Unlock()
	q.drafts = append(q.drafts, draft{id, q.tokens[caller]})
	return err
}

// publish ends with the drafts.
func (q *requests) publish(_, _ int) (r request, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.drafts) == 0 {
		return r, false
	}
	d := q.drafts[0]
	q.drafts = q.drafts[1:]
	return d.publish(), true
}

// crowds are the events of which each is joined by everybody at once; the
// others are joined by one after the other.
func (q *requests) crowds() (others, crowds []meet.EventID) {
	at := len(q.open) * 9 / 10
	return q.open[:at], q.open[at:]
}

// join brings nobody to an event twice: everybody walks through the events,
// each from another one on.
func (q *requests) join(_, n int) (r request, more bool) {
	events, _ := q.crowds()
	person, round := n%len(q.tokens), n/len(q.tokens)
	event := events[(person*len(events)/len(q.tokens)+round)%len(events)]
	return joining(event, q.tokens[person]), round < len(events)
}

// joinHot brings everybody to one event, then to the next.
func (q *requests) joinHot(_, n int) (r request, more bool) {
	_, events := q.crowds()
	person, round := n%len(q.tokens), n/len(q.tokens)
	if round >= len(events) {
		return r, false
	}
	return joining(events[round], q.tokens[person]), true
}

func joining(event meet.EventID, token string) request {
	return request{method: "POST", target: "/events/" + event.String() + "/join", token: token, body: `{"participation_visibility":"public"}`}
}

func (q *requests) refresh(caller, _ int) (request, bool) {
	return request{method: "POST", target: "/auth/refresh", body: `{"refresh_token":"` + q.refreshes[caller] + `"}`}, true
}

func (q *requests) refreshed(caller int, body []byte) (err error) {
	q.refreshes[caller], err = textIn(body, "refresh_token")
	return err
}

// textIn gives the first text of that name in a JSON answer that holds no
// escapes in it.
func textIn(body []byte, name string) (string, error) {
	_, rest, found := bytes.Cut(body, []byte(`"`+name+`":"`))
	text, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return "", fmt.Errorf("no %s in %s", name, body)
	}
	return string(text), nil
}
