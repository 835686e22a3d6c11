package dataset

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

var now = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

func dataset(t testing.TB, seed uint64, users, events int) *Dataset {
	t.Helper()
	w, err := New(Plan{Seed: seed, Users: users, Events: events, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// all is all data of a dataset.
type all struct {
	users      []User
	follows    []Follow
	events     []Event
	attendance []Attendance
	posts      []Post
	reviews    []Review
}

func everything(s *Dataset) all {
	a := all{users: slices.Collect(s.Users()), follows: slices.Collect(s.Follows()), events: slices.Collect(s.Events())}
	for i := range a.events {
		attendance := s.Attendance(&a.events[i])
		a.attendance = append(a.attendance, attendance)
		a.posts = append(a.posts, s.Posts(&a.events[i], attendance)...)
		a.reviews = append(a.reviews, s.Reviews(&a.events[i], attendance)...)
	}
	return a
}

func TestSamePlanGeneratesSameData(t *testing.T) {
	first, second := everything(dataset(t, 7, 300, 500)), everything(dataset(t, 7, 300, 500))
	if !reflect.DeepEqual(first, second) {
		t.Error("one plan generated different data")
	}
	if reflect.DeepEqual(first.events, everything(dataset(t, 8, 300, 500)).events) {
		t.Error("another seed generated the same events")
	}
	longer := everything(dataset(t, 7, 300, 900))
	if !reflect.DeepEqual(first.events, longer.events[:500]) || !reflect.DeepEqual(first.users, longer.users) {
		t.Error("a plan with more events does not begin with the same events")
	}
}

func TestSeedsShareNoUsernamesOrIDs(t *testing.T) {
	names, ids := map[string]bool{}, map[domain.UserID]bool{}
	for seed := range uint64(5) {
		for u := range dataset(t, seed, 2000, 0).Users() {
			names[u.Username], ids[u.ID] = true, true
		}
	}
	if len(names) != 10_000 || len(ids) != 10_000 {
		t.Errorf("10000 users have %d usernames and %d ids", len(names), len(ids))
	}
}

func TestNewRefusesNumbersOutOfRange(t *testing.T) {
	for _, p := range []Plan{{Users: 0, Events: 1}, {Users: -1}, {Users: 1, Events: -1}} {
		if _, err := New(p); err == nil {
			t.Errorf("%+v was accepted", p)
		}
	}
	small := everything(dataset(t, 1, 1, 200)) // one person for seventy cities
	for _, e := range small.events {
		if e.OrganizerID != small.users[0].ID {
			t.Fatalf("the only user does not organize %s", e.ID)
		}
	}
}

var username = regexp.MustCompile(`^[a-z0-9]+(?:[._][a-z0-9]+)*$`)

func TestUsersSatisfyTheContract(t *testing.T) {
	data := everything(dataset(t, 1, 20_000, 0))
	created := map[domain.UserID]time.Time{}
	for _, u := range data.users {
		clean, err := text.Line(1, 80)(u.DisplayName)
		if err != nil || clean != u.DisplayName {
			t.Fatalf("display name %q: %v", u.DisplayName, err)
		}
		if !username.MatchString(u.Username) || len(u.Username) < 3 || len(u.Username) > 30 {
			t.Fatalf("username %q", u.Username)
		}
		if u.CreatedAt.After(now) || !created[u.ID].IsZero() {
			t.Fatalf("%+v", u)
		}
		created[u.ID] = u.CreatedAt
	}
	pairs, followers := map[[2]domain.UserID]bool{}, map[domain.UserID]int{}
	for _, f := range data.follows {
		pair := [2]domain.UserID{f.Follower, f.Followed}
		if f.Follower == f.Followed || pairs[pair] || created[f.Follower].IsZero() || created[f.Followed].IsZero() {
			t.Fatalf("%+v", f)
		}
		if f.CreatedAt.Before(created[f.Follower]) || f.CreatedAt.Before(created[f.Followed]) || f.CreatedAt.After(now) {
			t.Fatalf("follow at the wrong time: %+v", f)
		}
		pairs[pair] = true
		followers[f.Followed]++
	}
	most := 0
	for _, n := range followers {
		most = max(most, n)
	}
	if len(data.follows) < 3*len(data.users) || most < 500 {
		t.Errorf("%d follows, the most followed has %d", len(data.follows), most)
	}
}

func TestEventsSatisfyTheContract(t *testing.T) {
	w := dataset(t, 1, 2000, 20_000)
	ties, ids := map[int64]bool{}, map[domain.EventID]bool{}
	for e := range w.Events() {
		checkWords(t, &e)
		checkTimes(t, &e)
		if ties[e.Tie] || ids[e.ID] || e.Tie < 1 || e.Tie > 999_999_999 {
			t.Fatalf("tie %d, id %s", e.Tie, e.ID)
		}
		ties[e.Tie], ids[e.ID] = true, true
		if (e.Lat == nil) != (e.Lng == nil) || e.Lat != nil && (*e.Lat < -90 || *e.Lat > 90 || *e.Lng < -180 || *e.Lng > 180) {
			t.Fatalf("place %v %v", e.Lat, e.Lng)
		}
		if (e.PriceAmount == nil) != (e.PriceCurrency == nil) {
			t.Fatalf("price %v %v", e.PriceAmount, e.PriceCurrency)
		}
		attendance := w.Attendance(&e)
		checkAttendance(t, &e, attendance)
		for _, p := range w.Posts(&e, attendance) {
			checkPost(t, &e, p)
		}
		checkReviews(t, &e, attendance, w.Reviews(&e, attendance))
	}
}

func checkWords(t *testing.T, e *Event) {
	t.Helper()
	for _, line := range []struct {
		text string
		max  int
	}{{e.Title, 120}, {e.Category, 80}, {e.City, 200}, {e.LocationText, 300}} {
		if clean, err := text.Line(1, line.max)(line.text); err != nil || clean != line.text {
			t.Fatalf("%q is stored as %q: %v", line.text, clean, err)
		}
	}
	if e.Description != nil {
		if clean, err := text.Block(1, 10_000)(*e.Description); err != nil || clean != *e.Description {
			t.Fatalf("%q is stored as %q: %v", *e.Description, clean, err)
		}
	}
}

func checkTimes(t *testing.T, e *Event) {
	t.Helper()
	today := now.Truncate(24 * time.Hour)
	if e.StartsAt.Before(today.AddDate(0, 0, -31)) || e.StartsAt.After(today.AddDate(0, 0, 336)) {
		t.Fatalf("starts at %v", e.StartsAt)
	}
	if e.EndsAt != nil && (!e.EndsAt.After(e.StartsAt) || e.EndsAt.Sub(e.StartsAt) > 31*24*time.Hour) {
		t.Fatalf("from %v to %v", e.StartsAt, e.EndsAt)
	}
	zone, err := time.LoadLocation(e.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	if local := e.StartsAt.In(zone); local.Minute()%30 != 0 || local.Second() != 0 {
		t.Fatalf("starts at %v", local)
	}
	moments := []*time.Time{&e.CreatedAt, e.PublishedAt, e.CanceledAt, &e.StartsAt}
	last := time.Time{}
	for i, m := range moments {
		if m == nil {
			continue
		}
		if m.Before(last) || i < 3 && m.After(now) {
			t.Fatalf("created, published, canceled, starts: %v", moments)
		}
		last = *m
	}
	if (e.Status == access.Draft) != (e.PublishedAt == nil) || (e.Status == access.Canceled) != (e.CanceledAt != nil) {
		t.Fatalf("%s published at %v, canceled at %v", e.Status, e.PublishedAt, e.CanceledAt)
	}
}

func checkAttendance(t *testing.T, e *Event, a Attendance) {
	t.Helper()
	if a.EventID != e.ID || a.Canceled != (e.Status == access.Canceled) {
		t.Fatalf("%+v belongs to another event than %s", a, e.ID)
	}
	if len(a.Going) > 0 && (e.Status == access.Draft || e.Visibility == access.Private) {
		t.Fatalf("people go to a %s %s event", e.Visibility, e.Status)
	}
	if a.Capacity != nil && len(a.Going) > *a.Capacity {
		t.Fatalf("%d go, %d may", len(a.Going), *a.Capacity)
	}
	seen := map[domain.UserID]bool{}
	for _, g := range a.Going {
		if seen[g.UserID] || g.JoinedAt.Before(*e.PublishedAt) || g.JoinedAt.After(now) {
			t.Fatalf("%+v", g)
		}
		seen[g.UserID] = true
	}
}

func checkPost(t *testing.T, e *Event, p Post) {
	t.Helper()
	if p.EventID != e.ID || p.AuthorID != e.OrganizerID || e.Status == access.Draft || p.CreatedAt.Before(*e.PublishedAt) {
		t.Fatalf("%+v about %+v", p, e)
	}
	bodies, last := []string{p.Body}, p.CreatedAt
	for i, c := range p.Comments {
		if !c.CreatedAt.After(last) || c.CreatedAt.After(now) || c.Answers > i {
			t.Fatalf("%+v", p)
		}
		bodies, last = append(bodies, c.Body), c.CreatedAt
	}
	for _, body := range bodies {
		if clean, err := text.Block(1, 2000)(body); err != nil || clean != body {
			t.Fatalf("%q is stored as %q: %v", body, clean, err)
		}
	}
	liked := map[domain.UserID]bool{}
	for _, l := range p.Likes {
		if liked[l.UserID] || l.CreatedAt.Before(p.CreatedAt) || l.CreatedAt.After(now) {
			t.Fatalf("%+v", p)
		}
		liked[l.UserID] = true
	}
}

// checkReviews accepts only reviews that participants could have written.
func checkReviews(t *testing.T, e *Event, a Attendance, reviews []Review) {
	t.Helper()
	went := map[domain.UserID]bool{}
	for _, g := range a.Going {
		went[g.UserID] = g.UserID != e.OrganizerID
	}
	for _, r := range reviews {
		if r.EventID != e.ID || !went[r.AuthorID] || r.Rating < 1 || r.Rating > 5 || r.CreatedAt.Before(e.StartsAt) || r.CreatedAt.After(now) {
			t.Fatalf("%+v", r)
		}
		went[r.AuthorID] = false // once
		if r.Body != nil {
			if clean, err := text.Block(1, 2000)(*r.Body); err != nil || clean != *r.Body {
				t.Fatalf("%q is stored as %q: %v", *r.Body, clean, err)
			}
		}
	}
}

// TestDistributionsAreRealistic checks the distributions that benchmarks rely on.
func TestDistributionsAreRealistic(t *testing.T) {
	w := dataset(t, 1, 5000, 20_000)
	instants, words, cities, sizes := map[int64]int{}, map[string]int{}, map[string]int{}, map[int]int{}
	states, full, incognito := map[string]int{}, 0, 0
	posts, comments, likes, reviews := 0, 0, 0, 0
	for e := range w.Events() {
		instants[e.StartsAt.Unix()]++
		cities[e.City]++
		states[string(e.Status)+" "+string(e.Visibility)]++
		for _, word := range text.Words(e.Title) {
			words[word]++
		}
		a := w.Attendance(&e)
		sizes[len(a.Going)]++
		reviews += len(w.Reviews(&e, a))
		for _, p := range w.Posts(&e, a) {
			posts++
			comments += len(p.Comments)
			likes += len(p.Likes)
		}
		if a.Capacity != nil && len(a.Going) == *a.Capacity {
			full++
		}
		for _, g := range a.Going {
			if g.Incognito {
				incognito++
			}
		}
	}
	if most := largest(instants); most < 10 {
		t.Errorf("at most %d events start at one instant", most)
	}
	if cities["London"] < 800 || cities["Apia"] == 0 || len(cities) != len(allCities()) {
		t.Errorf("cities: %v", cities)
	}
	once := 0
	for _, n := range words {
		if n == 1 {
			once++
		}
	}
	if largest(words) < 2000 || once < 2000 {
		t.Errorf("the most common word is in %d titles, %d words are in one", largest(words), once)
	}
	if states["draft public"] == 0 || states["draft private"] == 0 || states["published private"] == 0 || states["canceled public"] == 0 {
		t.Errorf("states: %v", states)
	}
	if full < 100 || incognito < 1000 || sizes[0] < 1000 || largest(sizes) == sizes[50] {
		t.Errorf("%d full events, %d incognito, sizes %v", full, incognito, sizes)
	}
	if posts < 3000 || comments < 3000 || likes < 3000 || reviews < 1000 {
		t.Errorf("%d posts, %d comments, %d likes, %d reviews", posts, comments, likes, reviews)
	}
}

func largest[K comparable](counts map[K]int) int {
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	return most
}

func TestEveryScriptOccurs(t *testing.T) {
	var titles, names strings.Builder
	w := dataset(t, 1, 5000, 5000)
	for e := range w.Events() {
		titles.WriteString(e.Title)
	}
	for u := range w.Users() {
		names.WriteString(u.DisplayName)
	}
	for script, letter := range map[string]*regexp.Regexp{
		"Latin": regexp.MustCompile(`\p{Latin}`), "Cyrillic": regexp.MustCompile(`\p{Cyrillic}`),
		"Han": regexp.MustCompile(`\p{Han}`), "Hiragana": regexp.MustCompile(`\p{Hiragana}`),
		"Katakana": regexp.MustCompile(`\p{Katakana}`), "Hangul": regexp.MustCompile(`\p{Hangul}`),
		"Arabic": regexp.MustCompile(`\p{Arabic}`), "Hebrew": regexp.MustCompile(`\p{Hebrew}`),
		"Devanagari": regexp.MustCompile(`\p{Devanagari}`), "Greek": regexp.MustCompile(`\p{Greek}`),
		"Thai": regexp.MustCompile(`\p{Thai}`), "Georgian": regexp.MustCompile(`\p{Georgian}`),
		"Armenian": regexp.MustCompile(`\p{Armenian}`),
	} {
		if !letter.MatchString(titles.String()) || !letter.MatchString(names.String()) {
			t.Errorf("%s is missing in titles or names", script)
		}
	}
}

func BenchmarkEvents(b *testing.B) {
	w := dataset(b, 1, 100_000, 1_000_000_000)
	n := 0
	for b.Loop() {
		e := w.event(n)
		w.Attendance(&e)
		n++
	}
}

func BenchmarkUsers(b *testing.B) {
	w := dataset(b, 1, 100_000, 0)
	n := 0
	for b.Loop() {
		w.user(n % 100_000)
		n++
	}
}
