package dataset

import (
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/post"
)

// Limits of the posts about one event, and the share of events that have posts.
const (
	shareDiscussed = 0.2
	maxPosts       = 3 // about one event
	maxComments    = 6 // on one post
	maxLikes       = 12
)

// Posts returns the organizer's posts about an event of this dataset, with comments
// and likes of its participants who are not incognito.
func (s *Dataset) Posts(e *Event, a Attendance) []Post {
	d := newRandom(s.plan.Seed, forPosts, e.number)
	if e.PublishedAt == nil || e.Visibility == access.Private || !d.chance(shareDiscussed) {
		return nil
	}
	t := discussion{
		random: d, language: languageOf(d, allCities()[e.city].country), event: e,
		guests: openGuests(a), now: *e.PublishedAt, until: earlier(e.StartsAt, s.today),
	}
	if e.CanceledAt != nil {
		t.until = *e.CanceledAt
	}
	posts := make([]Post, 1+d.zipf(maxPosts))
	for i := range posts {
		posts[i] = t.post()
	}
	return posts
}

func openGuests(a Attendance) []domain.UserID {
	var open []domain.UserID
	for _, g := range a.Going {
		if !g.Incognito {
			open = append(open, g.UserID)
		}
	}
	return open
}

// discussion generates the texts about one event, in the order of time.
type discussion struct {
	random
	language   *language
	event      *Event
	guests     []domain.UserID
	now, until time.Time
}

// later advances the time by at least a second and returns it.
func (t *discussion) later() time.Time {
	t.now = t.between(t.now.Add(time.Second), t.until)
	return t.now
}

func (t *discussion) post() Post {
	p := Post{
		ID: newID(t.random, t.event.number), EventID: t.event.ID, AuthorID: t.event.OrganizerID,
		Kind: post.Plain, Body: t.sentence(), CreatedAt: t.later(),
	}
	if t.chance(0.3) {
		p.Kind = post.Announcement
	}
	if len(t.guests) == 0 {
		return p
	}
	for i := range t.zipf(maxComments + 1) {
		c := Comment{ID: newID(t.random, t.event.number), AuthorID: pick(t.random, t.guests), Body: t.words(), CreatedAt: t.later()}
		if i > 0 && t.chance(0.6) {
			c.Answers = 1 + t.IntN(i)
		}
		if c.Answers > 0 && t.chance(0.4) {
			c.AuthorID = t.event.OrganizerID
		}
		p.Comments = append(p.Comments, c)
	}
	first := t.IntN(len(t.guests))
	for i := range min(t.zipf(maxLikes+1), len(t.guests)) {
		p.Likes = append(p.Likes, Reaction{UserID: t.guests[(first+i)%len(t.guests)], CreatedAt: p.CreatedAt})
	}
	if t.chance(0.1) {
		p.Reposts = []Reaction{{UserID: t.guests[first], CreatedAt: p.CreatedAt}}
	}
	return p
}

// sentence returns a sentence as organizers write it.
func (t *discussion) sentence() string {
	var b strings.Builder
	topic := t.event.Title
	t.language.write(&b, t.random, pick(t.random, t.language.sentences), topic)
	return capital(strings.TrimSpace(b.String()))
}

// words returns a short remark.
func (t *discussion) words() string {
	words := make([]string, 2+t.zipf(12))
	for i := range words {
		words[i] = t.language.word(t.random)
	}
	return capital(t.language.join(words...))
}

// Shares of the participants who review an event, and of the reviews with a text.
const (
	shareReviewing = 0.3
	shareWritten   = 0.6
)

// ratingWeights are the relative frequencies of one to five stars.
var ratingWeights = [...]float64{1, 1, 3, 8, 12}

// Reviews returns reviews of an event of this dataset by its participants; none
// before it is over.
func (s *Dataset) Reviews(e *Event, a Attendance) []Review {
	over := event.Event{Fields: event.Fields{StartsAt: e.StartsAt, EndsAt: e.EndsAt}}.OverAt()
	if e.Status != access.Published || !over.Before(s.today) {
		return nil
	}
	d := newRandom(s.plan.Seed, forReviews, e.number)
	t := discussion{random: d, language: languageOf(d, allCities()[e.city].country), event: e, now: over, until: s.today}
	var reviews []Review
	for _, g := range a.Going {
		if g.UserID == e.OrganizerID || !d.chance(shareReviewing) {
			continue
		}
		r := Review{
			ID: newID(d, e.number), EventID: e.ID, AuthorID: g.UserID, CreatedAt: t.later(),
			Rating: 1 + d.weighted(len(ratingWeights), func(i int) float64 { return ratingWeights[i] }),
		}
		if d.chance(shareWritten) {
			r.Body = new(t.words())
		}
		reviews = append(reviews, r)
	}
	return reviews
}
