// Package event manages events from draft to completion: it creates, updates,
// publishes and cancels them and shows their details (specification §4.5).
package event

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
)

// Event is a stored event.
type Event struct {
	Fields
	ID                   domain.EventID
	Code                 *string // of its address, see address.Event
	OrganizerID          domain.UserID
	HasTeam              bool          // it has or had hosts beside the organizer
	HasQuestions         bool          // it has or had questions to guests
	Status               access.Status // effective
	StartsKey            int64
	SelectedDateOptionID *domain.DateOptionID
	Listed               bool // has postings
	CreatedAt, UpdatedAt time.Time
	PublishedAt          *time.Time
	CanceledAt           *time.Time
	ImageAspect          *float64 // width by height of an uploaded image
	CancelMessage        *string  // of the organizer to the guests
	Waitlisted           bool     // it has or had a waiting list, or join requests
	SeriesDate
	External

	hasWebhook          bool   // of a locked event: the organizer has an active webhook
	notificationSubject string // of notifications about a change; empty: the event
}

// defaultLength is how long an event without an end lasts.
const defaultLength = 3 * time.Hour

// MaxLength is how long an event may last at most (contract §4.3).
const MaxLength = 31 * 24 * time.Hour

// OverAt returns the time at which the event, once published, is completed
// (contract §4.5). During a vote on its date, it is not over before the default
// length has passed.
func (e Event) OverAt() time.Time {
	byDefault := e.StartsAt.Add(defaultLength)
	if e.EndsAt == nil || e.DateMode == DateVote && e.SelectedDateOptionID == nil && e.EndsAt.Before(byDefault) {
		return byDefault
	}
	return *e.EndsAt
}

// listable reports whether discovery shows the event, unless its organizer is suspended.
func (e Event) listable(now time.Time) bool {
	return e.Status == access.Published && e.Visibility == access.Public && now.Before(e.OverAt())
}

// Address returns what the address of the event's page depends on.
func (e Event) Address() address.Event {
	return address.Event{ID: e.ID, Code: e.Code, Title: e.Title, Private: e.Visibility != access.Public}
}

// Document returns the fields by which the event is found, nil when it is not listed.
func (e Event) Document() *postings.Document {
	if !e.Listed {
		return nil
	}
	return &postings.Document{
		StartsKey: e.StartsKey, Organizer: e.OrganizerID, Title: e.Title, Category: e.Category, City: e.City, LocationText: e.LocationText,
		Description: e.Description,
		Lat:         e.Lat, Lng: e.Lng, Price: e.Price,
	}
}

// moved reports whether time or place differ, which participants are notified
// of (contract §4.4).
func moved(a, b Fields) bool {
	return !a.StartsAt.Equal(b.StartsAt) || !sameTime(a.EndsAt, b.EndsAt) || a.Timezone != b.Timezone ||
		!same(a.City, b.City) || !same(a.LocationText, b.LocationText) ||
		!same(a.Lat, b.Lat) || !same(a.Lng, b.Lng) || !same(a.ConferenceURL, b.ConferenceURL)
}

// unchanged reports whether the event would be stored as it was.
func (e Event) unchanged(was Event) bool { return len(columns.Diff(&e, &was)) == 0 }

func samePrice(a, b Fields) bool {
	return a.Price == b.Price && same(a.PriceAmount, b.PriceAmount) && same(a.PriceCurrency, b.PriceCurrency)
}

func same[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// touch sets updated_at. The time always increases, because the ETag is made of it.
func (e *Event) touch(now time.Time) {
	if earliest := e.UpdatedAt.Add(time.Microsecond); now.Before(earliest) {
		now = earliest
	}
	e.UpdatedAt = now
}

// ETag identifies the version of the fields that the organizer wrote. It does not
// depend on the participants.
func (e Event) ETag() string { return `"` + strconv.FormatInt(e.UpdatedAt.UnixMicro(), 36) + `"` }

// matches reports whether an If-Match header names the ETag (RFC 9110 §13.1.1).
func matches(header, tag string) bool {
	for listed := range strings.SplitSeq(header, ",") {
		if listed = strings.TrimSpace(listed); listed == tag || listed == "*" {
			return true
		}
	}
	return false
}

// A starts_key orders events. It is the start in nanoseconds; its sub-second digits
// are a random tie-breaker from 1 to 999,999,999. So it is unique and greater than
// the whole second. As a date-time it is the cursor of GET /events (contract §0).

// newKey returns the key of a start with a tie-breaker. The unique index
// decides whether it is free.
func newKey(start time.Time, tie int64) int64 { return start.Unix()*int64(time.Second) + tie }

// RandomKey returns the key of a start with a random tie-breaker.
func RandomKey(start time.Time) int64 { return newKey(start, randomTie()) }

// randomTie draws a tie-breaker.
func randomTie() int64 { return 1 + rand.Int64N(int64(time.Second)-1) }

// tieOf returns the tie-breaker of a key, 0 when there is no key yet.
func tieOf(key int64) int64 { return key % int64(time.Second) }

// KeyTime returns a key as the date-time of a cursor.
func KeyTime(key int64) time.Time { return time.Unix(0, key).UTC() }

// KeysFrom returns the exclusive lower bound of the keys of events that start
// at t or later.
func KeysFrom(t time.Time) int64 {
	return t.Add(time.Second-time.Nanosecond).Unix()*int64(time.Second) - 1
}

// KeysAfter returns the exclusive lower bound of the keys after a cursor: the
// time of a key, or a plain date-time, which means from that second on.
func KeysAfter(cursor time.Time) int64 {
	if cursor.Nanosecond() == 0 {
		return KeysFrom(cursor)
	}
	return cursor.UnixNano()
}

// KeysUpTo returns the inclusive upper bound of the keys of events that start
// at t or earlier.
func KeysUpTo(t time.Time) int64 { return (t.Unix()+1)*int64(time.Second) - 1 }

// OldestKey returns a bound below the keys of all events that are not over at
// now: none of them started earlier than the maximum length ago.
func OldestKey(now time.Time) int64 { return KeysFrom(now.Add(-MaxLength)) }
