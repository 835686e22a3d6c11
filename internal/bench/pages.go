package bench

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// page is the operation of reading pages without a session.
func page(name, does string, callers []int, target func(n int) string) *operation {
	return &operation{name: name, does: does, callers: callers, make: func(_, n int) (request, bool) {
		return request{method: "GET", target: target(n)}, true
	}}
}

// hot makes an operation of one that always asks for the same page, of which the
// cache has most.
func (o *operation) hot(target string) *operation {
	plain := o.make
	o.cold = func(n int) request {
		r, _ := plain(0, n) // a page never ends
		r.known = false
		return r
	}
	o.make = func(_, n int) (request, bool) {
		r, more := plain(0, n)
		r.target = target
		return r, more
	}
	return o
}

// as has the operation made by people who are signed in.
func (o *operation) as(person func(n int) string) *operation {
	plain := o.make
	o.make = func(caller, n int) (request, bool) {
		r, more := plain(caller, n)
		r.token = person(n)
		return r, more
	}
	return o
}

// known has the operation say that the page is known already.
func (o *operation) known() *operation {
	plain := o.make
	o.make = func(caller, n int) (request, bool) {
		r, more := plain(caller, n)
		r.known = true
		return r, more
	}
	return o
}

func (q *requests) person(n int) string { return q.tokens[n%len(q.tokens)] }

// lists are those of all places.
func (q *requests) lists() []*operation {
	from := func(day int) func(int) string { // pages that no other operation asks for
		return func(n int) string {
			return "/events?cursor=" + moment(time.Duration(day)*24*time.Hour+time.Duration(n)*time.Microsecond)
		}
	}
	return []*operation{
		page("list", "GET /events, the first page of 20", all, from(1)).hot("/events"),
		page("list unchanged", "the same with If-None-Match: 304", some, from(2)).known().hot("/events"),
		page("list signed in", "the same as list, with a session", some, from(3)).as(q.person).hot("/events"),
		page("list cold", "GET /events, every request another page", []int{1, 16, 256}, func(n int) string {
			return "/events?cursor=" + cursorOf(n)
		}),
		page("list city", "GET /events of a city", some, filtered(func(_ int, p place) string { return "&city=" + url.QueryEscape(p.city) })),
		page("list category", "GET /events of a category, the commonest and rare ones", some, filtered(func(n int, _ place) string {
			return "&category=" + categories[n%len(categories)]
		})),
		page("list price", "GET /events that cost something", some, filtered(func(int, place) string { return "&price=paid" })),
		page("list dates", "GET /events of a week", some, func(n int) string { return "/events?" + week(n) }),
		page("list combined", "GET /events of a city, a category and a week that are free", some, func(n int) string {
			return "/events?city=" + url.QueryEscape(placeOf(n).city) + "&category=" + categories[n%len(categories)] + "&price=free&" + week(n)
		}),
		page("list apart", "GET /events of a city within 50 km of another one", oneAndSome, filtered(func(n int, p place) string {
			return "&city=" + url.QueryEscape(placeOf(n+1).city) + p.within("50")
		})),
	}
}

// places are what is near, and maps.
func (q *requests) places() []*operation {
	near := func(radius string) func(int) string {
		return filtered(func(_ int, p place) string { return p.within(radius) })
	}
	zoom := func(level string, target func(int) string) func(int) string {
		return func(n int) string { return target(n) + "&zoom=" + level }
	}
	return []*operation{
		page("nearby 5 km", "GET /events around a place in one of eight cities", some, near("5")),
		page("nearby 50 km", "the same, wider", some, near("50")),
		page("nearby 500 km", "the same, widest", oneAndSome, near("500")),
		page("nearby centre", "GET /events within 1 km of the middle of the largest cities", oneAndSome, filtered(func(n int, _ place) string {
			return shift(largest[n%len(largest)], n, 0.004).within("1")
		})),
		page("nearby sea", "GET /events within 500 km of a place where nothing is", oneAndSome, filtered(func(n int, _ place) string {
			return shift(ocean, n, 4).within("500")
		})),
		page("map of a city", "GET /events/map, a box of some 20 km, the first 100", oneAndSome, cityBox),
		page("map of a country", "the same, one of four countries", oneAndSome, countryBox),
		page("map of the sea", "the same, where nothing is", oneAndSome, seaBox),
		page("clusters of a city", "GET /events/map of a city with zoom", oneAndSome, zoom("11", cityBox)),
		page("clusters of a country", "the same, one of four countries", oneAndSome, zoom("6", countryBox)),
	}
}

// words are searches.
func (q *requests) words() []*operation {
	search := func(words []string) func(int) string {
		return filtered(func(n int, _ place) string { return "&q=" + url.QueryEscape(words[n%len(words)]) })
	}
	return []*operation{
		page("text rare", "GET /events?q= with a word of at most 20 events", some, search(q.rare)),
		page("text common", "GET /events?q= with one of the commonest words", some, search(q.common)),
		page("text apart", "GET /events?q= with two common words that rarely meet", oneAndSome, search(q.apart)),
		page("text misspelt", "GET /events?q= with a common word, two of its letters the wrong way round", some, search(q.misspelt)),
		page("text nearby", "GET /events?q= with a common word within 50 km of a place", some, filtered(func(n int, p place) string {
			return "&q=" + url.QueryEscape(q.common[n%len(q.common)]) + p.within("50")
		})),
	}
}

// single are the pages of one event or one person.
func (q *requests) single() []*operation {
	return []*operation{
		page("detail", "GET /events/{event_id}, every request another event", some, q.detail(0)),
		page("detail hot", "the same of one event", some, q.detail(1)).hot(q.detail(2)(0)),
		page("detail signed in", "the same as detail, with a session", some, q.detail(3)).as(q.person),
		page("feed", "GET /feed, the first page of 20, without a session", some, func(int) string { return "/feed" }).hot("/feed"),
		{name: "feed signed in", does: "the same by people who follow 500 organizers each", callers: some, make: q.feed},
	}
}

// filtered gives the first page of what a filter finds, so that each request
// differs from all others: it begins some microseconds later.
func filtered(filter func(n int, p place) string) func(int) string {
	return func(n int) string {
		return "/events?cursor=" + moment(time.Duration(n)*time.Microsecond) + filter(n, placeOf(n))
	}
}

// moment is a time after the epoch as a cursor.
func moment(after time.Duration) string {
	return epoch.Add(after).Format("2006-01-02T15:04:05.000000000Z")
}

// cursorOf is another moment for every n, within 300 days.
func cursorOf(n int) string {
	const days = uint64(300 * 24 * time.Hour)
	return moment(time.Duration(spread(n) % days))
}

// week is a week that begins at another second for every n, within 200 days.
func week(n int) string {
	from := epoch.Add(time.Duration(spread(n)%(200*24*60*60)) * time.Second)
	return "starts_from=" + from.Format(time.RFC3339) + "&starts_to=" + from.AddDate(0, 0, 7).Format(time.RFC3339)
}

// spread gives 64 well mixed bits for every n (SplitMix64).
func spread(n int) uint64 {
	u := (uint64(n) + 1) * 0x9e3779b97f4a7c15
	u = (u ^ u>>30) * 0xbf58476d1ce4e5b9
	u = (u ^ u>>27) * 0x94d049bb133111eb
	return u ^ u>>31
}

// detail walks through the events from one of four beginnings, each time around
// with other letters of their ids in upper case.
func (q *requests) detail(quarter int) func(n int) string {
	return func(n int) string {
		if len(q.open) == 0 { // only the names are asked for
			return ""
		}
		at := n + quarter*len(q.open)/4
		return "/events/" + spelled(q.open[at%len(q.open)].String(), 4*(n/len(q.open))+quarter)
	}
}

// spelled writes an id in one of its many ways: all the same to the service.
func spelled(id string, way int) string {
	text := []byte(id)
	for i, c := range text {
		if c < 'a' {
			continue
		}
		if way&1 == 1 {
			text[i] = c - 'a' + 'A'
		}
		way >>= 1
	}
	return string(text)
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', 5, 64) }

// box is a filter of the map.
func box(south, west, north, east float64) string {
	return fmt.Sprintf("/events/map?bbox=%s,%s,%s,%s&limit=100", degrees(west), degrees(south), degrees(east), degrees(north))
}
