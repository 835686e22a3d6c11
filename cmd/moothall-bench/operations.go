package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"moothall/cmd/moothall-bench/load"
	"moothall/internal/domain"
)

// operation is one kind of request. Each operation is measured alone.
type operation struct {
	name    string
	does    string
	callers []int  // concurrent callers; each number is measured
	needs   string // the operation that must run before, or empty
	alone   bool   // each request waits until the jobs of the previous one have run
	most    int    // maximum number of expensive requests; 0: no limit

	// make returns request number n, sent by a caller; more is false when there
	// are no more requests.
	make     func(caller, n int) (r load.Request, more bool)
	received func(caller int, body []byte) error // gets each response; may be nil

	made atomic.Int64
}

func (o *operation) next(caller int) (load.Request, bool) {
	return o.make(caller, int(o.made.Add(1)-1))
}

var (
	one         = []int{1}
	some        = []int{16}
	oneAndSome  = []int{1, 16} // one caller's p99 includes no queueing
	someAndMany = []int{16, 64}
	someAndMost = []int{16, 256}
	manyAndMost = []int{64, 256}
	every       = []int{1, 16, 64, 256}
)

// workload makes the requests of every operation.
type workload struct {
	facts
	tokens        []string // access tokens, one for each caller
	refreshTokens []string // of other sessions, one for each caller
	group         group

	mu       sync.Mutex
	drafts   []draft
	followed []draft // of the organizer with the most followers
}

func (w *workload) operations() []*operation {
	return slices.Concat(w.lists(), w.places(), w.details(), w.group.reads(), w.writes(), w.group.writes())
}

// operationNames lists all operations in the order of measurement.
func operationNames() (names []string) {
	for _, o := range new(workload).operations() {
		names = append(names, o.name)
	}
	return names
}

// page returns an operation that reads pages as an anonymous viewer.
func page(name, does string, callers []int, target func(n int) string) *operation {
	return &operation{name: name, does: does, callers: callers, make: func(_, n int) (load.Request, bool) {
		return load.Request{Method: http.MethodGet, Target: target(n)}, true
	}}
}

// same returns a function that returns the same target for every request.
func same(target string) func(int) string { return func(int) string { return target } }

// with changes each request.
func (o *operation) with(change func(r *load.Request, n int)) *operation {
	plain := o.make
	o.make = func(caller, n int) (load.Request, bool) {
		r, more := plain(caller, n)
		change(&r, n)
		return r, more
	}
	return o
}

func (w *workload) signIn(r *load.Request, n int) { r.Token = w.tokens[n%len(w.tokens)] }

func (w *workload) lists() []*operation {
	search := func(words []string) func(int) string {
		return filtered(func(n int, _ place) string { return "&q=" + url.QueryEscape(words[n%len(words)]) })
	}
	return []*operation{
		page("list", "GET /events, the first page of 20", every, same("/events")),
		page("list unchanged", "the same with If-None-Match: 304", some, same("/events")).with(func(r *load.Request, _ int) { r.Revalidate = true }),
		page("list signed in", "the same as list, signed in", some, same("/events")).with(w.signIn),
		page("list cold", "GET /events, another page each time", []int{1, 16, 256}, func(n int) string {
			const days = uint64(300 * 24 * time.Hour)
			return "/events?cursor=" + cursor(time.Duration(mixed(n)%days))
		}),
		page("list city", "GET /events of a city", some, filtered(func(_ int, p place) string { return "&city=" + url.QueryEscape(p.city) })),
		page("list apart", "GET /events of a city within 50 km of another one", oneAndSome, filtered(func(n int, p place) string {
			return "&city=" + url.QueryEscape(placeNear(n+1).city) + p.within50km()
		})),
		page("nearby 50 km", "GET /events within 50 km of a place in one of eight cities", some, filtered(func(_ int, p place) string { return p.within50km() })),
		page("text rare", "GET /events?q= with a word of at most 20 events", some, search(w.rare)),
		page("text common", "GET /events?q= with one of the most common words", some, search(w.common)),
	}
}

func (w *workload) places() []*operation {
	return []*operation{
		page("map of a city", "GET /events/map, a box of some 20 km, the first 100", some, cityBox),
		page("clusters of a city", "the same with zoom", some, func(n int) string { return cityBox(n) + "&zoom=11" }),
		page("clusters of a country", "the same for one of four countries", some, func(n int) string { return countryBox(n) + "&zoom=6" }),
	}
}

func (w *workload) details() []*operation {
	return []*operation{
		page("detail", "GET /events/{event_id}, another event each time", some, w.detail(0)),
		page("detail hot", "the same of one event", some, same(w.detail(2)(0))),
		page("detail signed in", "the same as detail, signed in", some, w.detail(3)).with(w.signIn),
		page("feed", "GET /feed, the first page of 20, anonymous", some, same("/feed")),
		page("feed signed in", "the same for users who follow 500 organizers each", some, same("/feed")).
			with(func(r *load.Request, n int) { w.signIn(r, n%heavyFollowers) }),
	}
}

// detail returns the targets of one event after the other, from one of four starting
// points. In each further round other letters of the ids are in upper case, so that
// no target repeats.
func (w *workload) detail(quarter int) func(n int) string {
	return func(n int) string {
		if len(w.open) == 0 { // operationNames has no events
			return ""
		}
		at := n + quarter*len(w.open)/4
		id, bits := []byte(w.open[at%len(w.open)].String()), 4*(n/len(w.open))+quarter
		for i, c := range id {
			if c >= 'a' {
				id[i] -= byte(bits&1) * ('a' - 'A')
				bits >>= 1
			}
		}
		return "/events/" + string(id)
	}
}

// filtered returns the targets of first pages that match a filter. Each request has a
// later start time, by one microsecond, so that no page repeats.
func filtered(filter func(n int, p place) string) func(int) string {
	return func(n int) string {
		return "/events?cursor=" + cursor(time.Duration(n)*time.Microsecond) + filter(n, placeNear(n))
	}
}

// cursor returns the cursor of a time after the epoch.
func cursor(after time.Duration) string {
	return epoch.Add(after).Format("2006-01-02T15:04:05.000000000Z")
}

// mixed returns 64 pseudo-random bits for n (SplitMix64).
func mixed(n int) uint64 {
	u := (uint64(n) + 1) * 0x9e3779b97f4a7c15
	u = (u ^ u>>30) * 0xbf58476d1ce4e5b9
	u = (u ^ u>>27) * 0x94d049bb133111eb
	return u ^ u>>31
}

func (w *workload) writes() []*operation {
	return []*operation{
		{name: "create", does: "POST /events: a draft", callers: someAndMany, make: w.create, received: w.created},
		{name: "publish", does: "POST /events/{event_id}/publish of such a draft", callers: []int{1, 64}, needs: "create", make: func(_, _ int) (load.Request, bool) {
			return w.publish(&w.drafts)
		}},
		{
			name: "publish followed", does: "the same by an organizer with 100,000 followers", callers: one, most: 4, alone: true,
			make: func(_, _ int) (load.Request, bool) { return w.publish(&w.followed) },
		},
		{name: "join", does: "POST /events/{event_id}/join, another event each time", callers: every, make: w.join},
		{name: "join hot", does: "the same, 256 users join one event, then the next", callers: someAndMost, make: w.joinHot},
		{name: "refresh", does: "POST /auth/refresh, one session for each caller", callers: manyAndMost, make: w.refresh, received: w.refreshed},
	}
}

// draft is an unpublished event and its organizer's access token.
type draft struct{ id, token string }

func (d draft) publish() load.Request {
	return load.Request{Method: http.MethodPost, Target: "/events/" + d.id + "/publish", Token: d.token}
}

func (w *workload) create(caller, n int) (load.Request, bool) {
	p := placeNear(n)
	body := fmt.Sprintf(`{"title":"Board games at number %d","description":"Come as you are, newcomers are welcome. We meet upstairs.",`+
		`"category":"games","starts_at":%q,"city":"Berlin","location_text":"Bench street %d","lat":%s,"lng":%s}`,
		n, epoch.Add(time.Duration(24+n%8000)*time.Hour).Format(time.RFC3339), n%300+1, degrees(p.lat), degrees(p.lng))
	return load.Request{Method: http.MethodPost, Target: "/events", Token: w.tokens[caller], Body: body}, true
}

// created stores the draft for publish.
func (w *workload) created(caller int, body []byte) error {
	id, err := textField(body, "id")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drafts = append(w.drafts, draft{id, w.tokens[caller]})
	return err
}

func (w *workload) publish(drafts *[]draft) (r load.Request, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(*drafts) == 0 {
		return r, false
	}
	d := (*drafts)[0]
	*drafts = (*drafts)[1:]
	return d.publish(), true
}

// split returns the events for join and those for join hot.
func (w *workload) split() (single, hot []domain.EventID) {
	at := len(w.open) * 9 / 10
	return w.open[:at], w.open[at:]
}

// join lets every user join every event once, each starting with another event.
func (w *workload) join(_, n int) (r load.Request, more bool) {
	events, _ := w.split()
	user, round := n%len(w.tokens), n/len(w.tokens)
	event := events[(user*len(events)/len(w.tokens)+round)%len(events)]
	return joinRequest(event, w.tokens[user]), round < len(events)
}

// joinHot lets every user join one event, then the next.
func (w *workload) joinHot(_, n int) (r load.Request, more bool) {
	_, events := w.split()
	user, round := n%len(w.tokens), n/len(w.tokens)
	if round >= len(events) {
		return r, false
	}
	return joinRequest(events[round], w.tokens[user]), true
}

func joinRequest(event domain.EventID, token string) load.Request {
	return load.Request{Method: http.MethodPost, Target: "/events/" + event.String() + "/join", Token: token, Body: `{"participation_visibility":"public"}`}
}

func (w *workload) refresh(caller, _ int) (load.Request, bool) {
	return load.Request{Method: http.MethodPost, Target: "/auth/refresh", Body: `{"refresh_token":"` + w.refreshTokens[caller] + `"}`}, true
}

func (w *workload) refreshed(caller int, body []byte) (err error) {
	w.refreshTokens[caller], err = textField(body, "refresh_token")
	return err
}

// textField returns the first string field of that name. The value must contain
// no escapes.
func textField(body []byte, name string) (string, error) {
	_, rest, found := bytes.Cut(body, []byte(`"`+name+`":"`))
	text, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return "", fmt.Errorf("no %s in %s", name, body)
	}
	return string(text), nil
}

// place is a geographic place.
type place struct {
	city     string
	lat, lng float64
}

var cities = []place{
	{"Berlin", 52.52, 13.405},
	{"Moscow", 55.7558, 37.6173},
	{"Paris", 48.8566, 2.3522},
	{"Istanbul", 41.0082, 28.9784},
	{"Madrid", 40.4168, -3.7038},
	{"Amsterdam", 52.3676, 4.9041},
	{"Saint Petersburg", 59.9343, 30.3351},
	{"Warsaw", 52.2297, 21.0122},
}

// countries are boxes: south, west, north, east.
var countries = [][4]float64{
	{47.3, 5.9, 55, 15},
	{42.3, -4.8, 51.1, 8.2},
	{36, -9.3, 43.8, 3.3},
	{49, 14.1, 54.8, 24.1},
}

// shifted returns another place for every n, at most span/2 degrees away in each
// direction.
func (p place) shifted(n int, span float64) place {
	u := mixed(n)
	return place{p.city, p.lat + span*(float64(u>>48)/(1<<16)-0.5), p.lng + span*(float64(u>>32&0xffff)/(1<<16)-0.5)}
}

// placeNear returns another place for every n, within 3 km of the centre of a city.
func placeNear(n int) place { return cities[n%len(cities)].shifted(n, 0.04) }

func (p place) within50km() string {
	return "&lat=" + degrees(p.lat) + "&lng=" + degrees(p.lng) + "&radius_km=50"
}

func cityBox(n int) string {
	p := placeNear(n)
	return box(p.lat-0.1, p.lng-0.15, p.lat+0.1, p.lng+0.15)
}

func countryBox(n int) string {
	c := countries[n%len(countries)]
	p := place{}.shifted(n, 0.2)
	return box(c[0]+p.lat, c[1]+p.lng, c[2]+p.lat, c[3]+p.lng)
}

func box(south, west, north, east float64) string {
	return fmt.Sprintf("/events/map?bbox=%s,%s,%s,%s&limit=100", degrees(west), degrees(south), degrees(east), degrees(north))
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', 5, 64) }
