package seed

import (
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/post"
)

// How much is said about events.
const (
	shareDiscussed = 0.2
	mostPosts      = 3 // about one event
	mostComments   = 6 // on one post
	mostLikes      = 12
)

// Posts makes what is said about an event of this world by its organizer and
// the people who openly go to it.
func (w *World) Posts(e *Event, a Attendance) []post.Imported {
	d := roll(w.plan.Seed, ofPosts, e.number)
	if e.PublishedAt == nil || e.Visibility == access.Private || !d.chance(shareDiscussed) {
		return nil
	}
	talk := talk{
		dice: d, language: languageOf(d, allCities()[e.city].country), event: e,
		guests: openGuests(a), now: *e.PublishedAt, until: earlier(e.StartsAt, w.today),
	}
	if e.CanceledAt != nil {
		talk.until = *e.CanceledAt
	}
	posts := make([]post.Imported, 1+d.zipf(mostPosts))
	for i := range posts {
		posts[i] = talk.post()
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

// talk is what is said about one event, one thing after the other.
type talk struct {
	dice
	language   *language
	event      *Event
	guests     []domain.UserID
	now, until time.Time
}

// later goes on by at least a second.
func (t *talk) later() time.Time {
	t.now = t.between(t.now.Add(time.Second), t.until)
	return t.now
}

func (t *talk) post() post.Imported {
	p := post.Imported{
		ID: newID(t.dice, t.event.number), EventID: t.event.ID, AuthorID: t.event.OrganizerID,
		Kind: post.Plain, Body: t.sentence(), At: t.later(),
	}
	if t.chance(0.3) {
		p.Kind = post.Announcement
	}
	if len(t.guests) == 0 {
		return p
	}
	for i := range t.zipf(mostComments + 1) {
		c := post.ImportedComment{ID: newID(t.dice, t.event.number), AuthorID: pick(t.dice, t.guests), Body: t.words(), At: t.later()}
		if i > 0 && t.chance(0.6) {
			c.Answers = 1 + t.IntN(i)
		}
		if c.Answers > 0 && t.chance(0.4) {
			c.AuthorID = t.event.OrganizerID
		}
		p.Comments = append(p.Comments, c)
	}
	first := t.IntN(len(t.guests))
	for i := range min(t.zipf(mostLikes+1), len(t.guests)) {
		p.Likes = append(p.Likes, post.ImportedReaction{UserID: t.guests[(first+i)%len(t.guests)], At: p.At})
	}
	if t.chance(0.1) {
		p.Reposts = []post.ImportedReaction{{UserID: t.guests[first], At: p.At}}
	}
	return p
}

// sentence is one that organizers write.
func (t *talk) sentence() string {
	var b strings.Builder
	topic := t.event.Title
	t.language.write(&b, t.dice, pick(t.dice, t.language.sentences), topic)
	return capital(strings.TrimSpace(b.String()))
}

// words are a short remark.
func (t *talk) words() string {
	words := make([]string, 2+t.zipf(12))
	for i := range words {
		words[i] = t.language.word(t.dice)
	}
	return capital(t.language.join(words...))
}
