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

	"moothall/bench/load"
	"moothall/internal/domain"
)

// operation is one kind of request. Each operation is measured alone.
type operation struct {
	name    string
	does    string
	callers []int      // concurrent callers; each number is measured
	needs   string     // the operation that must run before, or empty
	most    int        // maximum number of requests, sent without a warm-up; 0: no limit
	plain   bool       // the plain handlers serve it too
	first   *operation // sent once before, so that caches of events are warm; may be nil
	beside  *operation // sent at the same time, 500 a second; may be nil

	// make returns request number n, sent by a caller; more is false when there
	// are no more requests.
	make     func(caller, n int) (r load.Request, more bool)
	received func(caller int, body []byte) error // gets each response; may be nil

	// seen waits until everybody can read the effect of a response; may be nil. Each
	// request then waits for it and for the jobs of the previous one.
	seen func(c *load.Conn, response []byte) error

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
	crowd         crowd

	followers []string // access tokens of some who follow the most followed organizer

	mu       sync.Mutex
	drafts   []draft
	followed []draft // of the organizer with the most followers
}

// twin returns the same workload for the plain handlers.
func (w *workload) twin() *workload {
	return &workload{facts: w.facts, tokens: w.tokens, refreshTokens: slices.Clone(w.refreshTokens), group: w.group, crowd: w.crowd}
}

func (w *workload) operations() []*operation {
	return slices.Concat(w.lists(), w.places(), w.details(), w.group.reads(), w.crowds(), w.writes(), w.group.writes())
}

// operationNames lists all operations in the order of measurement.
func operationNames() (names []string) {
	for _, o := range new(workload).operations() {
		names = append(names, o.name)
	}
	return append(names, deliveryNames...)
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

func gzip(r *load.Request, _ int) { r.Gzip = true }

// after lets another operation run once before.
func (o *operation) after(first *operation) *operation {
	o.first = first
	return o
}

// compared lets the plain handlers serve the operation too.
func (o *operation) compared() *operation {
	o.plain = true
	return o
}

func (w *workload) signIn(r *load.Request, n int) { r.Token = w.tokens[n%len(w.tokens)] }

// pageSize is the number of events of a page.
const pageSize = 20

// window returns how many pages have their events in caches: 20,000 events.
func (w *workload) window() int { return min(20_000/pageSize, len(w.pages)/2) }

// within returns another cursor for every n, in the first part of the window.
func (w *workload) within(n int, part float64) string {
	return cursorBetween(w.pages[0], w.pages[int(part*float64(w.window()-1))], n)
}

// anywhere returns another page of all events for every n.
func (w *workload) anywhere(n int) string {
	return "/events?cursor=" + cursorBetween(w.pages[0], w.pages[len(w.pages)-1], n)
}

// cursorBetween returns another cursor between two keys for every n.
func cursorBetween(first, last int64, n int) string {
	return cursor(first + int64(mixed(n)%uint64(max(last-first, 1))))
}

func (w *workload) lists() []*operation {
	none := func(int, place) string { return "" }
	city := func(_ int, p place) string { return "&city=" + url.QueryEscape(p.city) }
	near := func(_ int, p place) string { return p.within50km() }
	word := func(words []string) func(int, place) string {
		return func(n int, _ place) string { return "&q=" + url.QueryEscape(words[n%len(words)]) }
	}
	pass := &operation{callers: some, make: w.eachPage(0)}
	return []*operation{
		{name: "list first time", does: "GET /events, pages whose events nobody has read since the start", callers: some, most: 3000,
			make: w.eachPage(1)},
		page("list", "GET /events, the first page of 20", every, same("/events")).compared(),
		page("list gzip", "the same, compressed", some, same("/events")).with(gzip),
		page("list signed in", "the same as list, signed in", some, same("/events")).with(w.signIn),
		page("list cold", "GET /events, another page of 20,000 events each time", []int{1, 16, 256}, w.filtered(1, none)).after(pass).compared(),
		page("list cold gzip", "the same, compressed", some, w.filtered(1, none)).after(pass).with(gzip),
		page("list all", "GET /events, another page of all events each time", some, w.anywhere).compared(),
		page("list city", "GET /events of a city, another page each time", some, w.filtered(0.5, city)).after(pass).compared(),
		page("list apart", "GET /events of a city within 50 km of another one", oneAndSome, w.filtered(0, func(n int, p place) string {
			return "&city=" + url.QueryEscape(placeNear(n+1).city) + p.within50km()
		})),
		page("nearby 50 km", "GET /events within 50 km of a place in one of eight cities", some, w.filtered(0.5, near)).after(pass).compared(),
		page("text rare", "GET /events?q= with a word of at most 20 events", some, w.filtered(0, word(w.rare))).compared(),
		page("text common", "GET /events?q= with one of the most common words", some, w.filtered(0.5, word(w.common))).after(pass).compared(),
	}
}

// eachPage makes one request for each page in the window, or for each page after it.
func (w *workload) eachPage(part int) func(caller, n int) (load.Request, bool) {
	return func(_, n int) (r load.Request, more bool) {
		pages := [][]int64{w.pages[:w.window()], w.pages[w.window():]}[part]
		if n >= len(pages) {
			return r, false
		}
		return load.Request{Method: http.MethodGet, Target: "/events?cursor=" + cursor(pages[n])}, true
	}
}

func (w *workload) places() []*operation {
	return []*operation{
		page("map of a city", "GET /events/map, a box of some 20 km, the first 100", some, cityBox),
		page("clusters of a city", "the same with zoom", some, func(n int) string { return cityBox(n) + "&zoom=11" }),
		page("clusters of a country", "the same for one of four countries", some, func(n int) string { return countryBox(n) + "&zoom=6" }),
		page("suggest", "GET /places?q=, the first two to five letters of one of eight cities", oneAndSome, typed),
	}
}

func (w *workload) details() []*operation {
	pass := &operation{callers: some, make: func(_, n int) (load.Request, bool) {
		return load.Request{Method: http.MethodGet, Target: w.detail(1)(n)}, n < len(w.open)
	}}
	return []*operation{
		page("detail", "GET /events/{event_id}, another one of 20,000 events each time", some, w.detail(0)).after(pass).compared(),
		page("detail hot", "the same of one event", some, same(w.detail(2)(0))),
		page("detail signed in", "the same as detail, signed in", some, w.detail(3)).after(pass).with(w.signIn),
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

// filtered returns the targets of pages that match a filter. They begin in the first part
// of the window; with part 0 at its start, each one nanosecond later, so that no page
// repeats.
func (w *workload) filtered(part float64, filter func(n int, p place) string) func(int) string {
	return func(n int) string {
		from := cursor(epoch.UnixNano() + int64(n))
		if part > 0 {
			from = w.within(n, part)
		}
		return "/events?cursor=" + from + filter(n, placeNear(n))
	}
}

// cursor returns the cursor of a time in nanoseconds.
func cursor(key int64) string {
	return time.Unix(0, key).UTC().Format("2006-01-02T15:04:05.000000000Z")
}

// mixed returns 64 pseudo-random bits for n (SplitMix64).
func mixed(n int) uint64 {
	u := (uint64(n) + 1) * 0x9e3779b97f4a7c15
	u = (u ^ u>>30) * 0xbf58476d1ce4e5b9
	u = (u ^ u>>27) * 0x94d049bb133111eb
	return u ^ u>>31
}

func (w *workload) writes() []*operation {
	join := &operation{name: "join", does: "POST /events/{event_id}/join, another event each time", callers: every, plain: true, make: w.join}
	beside := page("list beside joins", "the same as list while users join, 500 a second", some, same("/events"))
	beside.beside = join
	return []*operation{
		{name: "create", does: "POST /events: a draft", callers: someAndMany, plain: true, make: w.create, received: w.created},
		{name: "publish", does: "POST /events/{event_id}/publish of such a draft", callers: []int{1, 64}, needs: "create",
			make: func(_, _ int) (load.Request, bool) {
				return w.publish(&w.drafts)
			}},
		{
			name: "publish followed", does: "the same by an organizer with 100,000 followers", callers: one, most: 16, seen: w.told,
			make: func(_, _ int) (load.Request, bool) { return w.publish(&w.followed) },
		},
		{
			name: "publish in group", does: "the same in a group with 100,000 members", callers: one, most: 16, seen: w.told,
			make: func(_, _ int) (load.Request, bool) { return w.publish(&w.crowd.drafts) },
		},
		beside,
		join,
		{name: "join hot", does: "the same, 256 users join one event, then the next", callers: someAndMost, make: w.joinHot},
		{name: "refresh", does: "POST /auth/refresh, one session for each caller", callers: manyAndMost, plain: true, make: w.refresh,
			received: w.refreshed},
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

// told waits until some followers are notified of a published event.
func (w *workload) told(c *load.Conn, published []byte) error {
	id, err := textField(published, "id")
	if err != nil {
		return err
	}
	watch := load.Start()
	for _, token := range w.followers {
		for {
			body, err := c.Ask(load.Request{Method: http.MethodGet, Target: "/notifications", Token: token})
			if err != nil {
				return err
			}
			if bytes.Contains(body, []byte(id)) {
				break
			}
			if watch.Elapsed() > jobsTimeout {
				return fmt.Errorf("no notification of event %s after %v", id, jobsTimeout)
			}
			time.Sleep(time.Millisecond)
		}
	}
	return nil
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
	return load.Request{Method: http.MethodPost, Target: "/events/" + event.String() + "/join", Token: token,
		Body: `{"participation_visibility":"public"}`}
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

// typed returns a search for cities while somebody types a name.
func typed(n int) string {
	return "/places?q=" + url.QueryEscape(cities[n%len(cities)].city[:2+n/len(cities)%4])
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
