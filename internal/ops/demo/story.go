package demo

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"moothall/internal/domain"
)

// act is what a demo user does at a time. Acts of the same time run concurrently, in any order.
type act struct {
	at time.Time
	do func(context.Context) error
}

var (
	people    = slices.Concat(demoPeople, monthPeople)
	allEvents = slices.Concat(demoEvents, monthEvents)
)

// story collects the acts.
type story struct {
	Services
	now     time.Time // in the city of the demo
	acts    []act
	options int // dates to vote on, of all events so far
}

// The ages of accounts, follows and events, in days. The events that are over began less than seven days ago, after
// everybody had joined.
const (
	accountAge = 35
	followAge  = 34
	eventAge   = 10
)

// tell returns everything that the demo users have done until now, in the order of time.
func tell(s Services, now time.Time) []act {
	t := story{Services: s, now: now.In(berlin())}
	t.signUp()
	for n, d := range allEvents {
		t.organize(scheduled{d, n, t.start(d)})
	}
	t.add(t.daysAgo(eventAge), func(ctx context.Context) error { return s.createSeries(ctx, t.start(readingCircle).In(berlin())) })
	t.add(t.daysAgo(followAge), s.createGroup)
	t.add(now.UTC().Truncate(time.Minute), s.readNotifications)
	slices.SortStableFunc(t.acts, func(a, b act) int { return a.at.Compare(b.at) })
	return t.acts
}

func (t *story) add(at time.Time, do func(context.Context) error) {
	t.acts = append(t.acts, act{at, do})
}

// daysAgo returns the full hour n days ago.
func (t *story) daysAgo(n int) time.Time { return t.now.UTC().Truncate(time.Hour).AddDate(0, 0, -n) }

// signUp adds the accounts and follows. All users follow Anna, and the users of the month also the next one.
func (t *story) signUp() {
	last := len(people) - 1
	for n, p := range people {
		t.add(t.daysAgo(accountAge), func(ctx context.Context) error { return t.createAccount(ctx, n, p) })
		if n != anna {
			t.follow(n, anna)
		}
		if n >= greta && n < last {
			t.follow(n, n+1)
		}
	}
	t.follow(anna, ben)
}

func (t *story) follow(follower, followed int) {
	t.add(t.daysAgo(followAge), func(ctx context.Context) error {
		_, err := t.Relations.Follow(ctx, viewer(follower), userID(followed))
		return err
	})
}

// scheduled is an event with its number and its start.
type scheduled struct {
	demoEvent
	n     int
	start time.Time
}

func (e scheduled) id() domain.EventID { return eventID(e.n) }

func (e scheduled) end() time.Time { return e.start.Add(2 * time.Hour) }

// organize adds an event and everything that happens to it.
func (t *story) organize(e scheduled) {
	published := t.daysAgo(eventAge)
	first := t.options
	t.options += e.options
	t.add(published, func(ctx context.Context) error { return t.createEvent(ctx, e, first) })
	for i, n := range e.invite {
		t.add(published.Add(time.Duration(i+1)*time.Minute), func(ctx context.Context) error { return t.invite(ctx, e, n) })
	}
	for i, n := range e.hosts {
		t.add(published.Add(time.Duration(i+1)*time.Hour), func(ctx context.Context) error { return t.share(ctx, e, n) })
	}
	if e.link > 0 {
		t.add(published.Add(time.Hour), func(ctx context.Context) error { return t.inviteByLink(ctx, e) })
	}
	t.join(e, published)
	if e.message != "" {
		t.add(published.AddDate(0, 0, 2), func(ctx context.Context) error { return t.message(ctx, e, e.message) })
	}
	t.vote(e, first, published.AddDate(0, 0, 1))
	t.write(e, published)
	t.chat(e)
	if t.now.After(e.end()) {
		t.add(e.end(), t.Events.Sweep)
		t.review(e)
	}
}

// start returns the start of an event.
func (t *story) start(d demoEvent) time.Time {
	return time.Date(t.now.Year(), t.now.Month(), t.now.Day()+d.days, d.hour, d.minute, 0, 0, berlin()).UTC()
}

// guest is a participant who joins some time after the publication.
type guest struct {
	user      int
	incognito bool
	after     time.Duration
}

// participants returns the participants of an event, in the order in which they join.
func (e scheduled) participants() (all []guest) {
	for _, n := range e.going {
		all = append(all, guest{user: n, after: time.Duration(len(all)+1) * time.Minute})
	}
	for _, n := range e.hidden {
		all = append(all, guest{user: n, incognito: true, after: time.Duration(len(all)+1) * time.Minute})
	}
	for i := range e.guests {
		n := greta + (e.n*7+i)%(len(people)-greta)
		if n != e.by {
			all = append(all, guest{user: n, incognito: i%7 == 5, after: time.Duration(i+1) * time.Hour})
		}
	}
	return all
}

func (t *story) join(e scheduled, published time.Time) {
	for _, g := range e.participants() {
		t.add(published.Add(g.after), func(ctx context.Context) error { return t.joinEvent(ctx, e, g) })
	}
	if len(e.asking) > 0 {
		t.add(published.Add(23*time.Hour), func(ctx context.Context) error { return t.approve(ctx, e) })
	}
	for i, n := range e.asking {
		t.add(published.Add(24*time.Hour+time.Duration(i)*time.Minute), func(ctx context.Context) error {
			return t.joinEvent(ctx, e, guest{user: n})
		})
	}
	for i, n := range e.waiting {
		t.add(published.Add(24*time.Hour+time.Duration(i)*time.Minute), func(ctx context.Context) error { return t.wait(ctx, e, n) })
	}
}

// vote adds the votes of some users who may vote. first is the number of the first date.
func (t *story) vote(e scheduled, first int, at time.Time) {
	if e.draft {
		return
	}
	voters := []int{e.by}
	for _, g := range e.participants() {
		voters = append(voters, g.user)
	}
	for i := range e.options {
		for _, n := range voters {
			if (n+i)%(3+i) == 0 {
				t.add(at, func(ctx context.Context) error {
					_, err := t.DateVotes.Vote(ctx, viewer(n), e.id(), optionID(first+i))
					return err
				})
			}
		}
	}
}

// write adds the posts, one hour apart, with their comments, one minute apart.
func (t *story) write(e scheduled, published time.Time) {
	next := 0 // post or comment of the event
	for i, p := range e.posts {
		at, post := published.Add(time.Duration(i+1)*time.Hour), next
		next += 1 + len(p.comments)
		t.add(at, func(ctx context.Context) error { return t.writePost(ctx, e, post, p) })
		at = at.Add(time.Minute)
		for _, n := range p.likes {
			t.add(at, func(ctx context.Context) error { return t.like(ctx, e, post, n) })
		}
		for _, n := range p.reposts {
			t.add(at, func(ctx context.Context) error { return t.repost(ctx, e, post, n) })
		}
		for i, c := range p.comments {
			t.add(at.Add(time.Duration(i)*time.Minute), func(ctx context.Context) error { return t.comment(ctx, e, post, post+1+i, c) })
		}
	}
}

// chat adds a message every seven minutes, up to an hour before the end of the story.
func (t *story) chat(e scheduled) {
	said := demoChats[e.title]
	for i, m := range said {
		at := t.now.UTC().Truncate(time.Minute).Add(-time.Hour - time.Duration(len(said)-i)*7*time.Minute)
		t.add(at, func(ctx context.Context) error {
			_, err := t.Chats.Send(ctx, viewer(m.by), e.id(), m.body, nil)
			return err
		})
	}
}

// review adds the reviews of the first guests, one hour apart.
func (t *story) review(e scheduled) {
	for i, r := range e.reviews {
		author := e.participants()[i].user
		t.add(e.end().Add(time.Duration(i+1)*time.Hour), func(ctx context.Context) error { return t.writeReview(ctx, e, author, r) })
	}
}

// berlin returns the time zone of demoCity.
var berlin = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err) // the program contains all zones
	}
	return zone
})

// fromCentre returns a place by its distance from the centre of demoCity in km, rounded to about 10 cm.
func fromCentre(north, east float64) (lat, lng float64) {
	const centreLat, centreLng, kmOfDegree = 52.52, 13.405, 111.2
	round := func(x float64) float64 { return math.Round(x*1e6) / 1e6 }
	return round(centreLat + north/kmOfDegree), round(centreLng + east/(kmOfDegree*math.Cos(centreLat*math.Pi/180)))
}
