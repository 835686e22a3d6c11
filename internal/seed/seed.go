// Package seed makes data that looks like a living service: people, follows,
// events, attendance, posts and reviews in many cities, languages and scripts. The same plan
// makes the same data, ids included. Generating is pure; fill.go hands the
// data to the rooms that own the tables.
package seed

import (
	"fmt"
	"iter"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
)

// Plan says what to make.
type Plan struct {
	Seed   uint64
	Users  int
	Events int
	Now    time.Time // the dates lie around its day: 30 days back to 335 days ahead
}

// User is an account with its profile.
type User struct {
	ID          domain.UserID
	Email       string // at example.org, verified
	DisplayName string
	Username    string
	City        string
	Interests   []string
	CreatedAt   time.Time
}

// Follow is one person following another.
type Follow struct {
	Follower, Followed domain.UserID
	CreatedAt          time.Time
}

// Event is an event with what its organizer has done to it.
type Event struct {
	ID            domain.EventID
	OrganizerID   domain.UserID
	Status        access.Status
	Visibility    access.Visibility
	Title         string
	Description   *string
	Category      string
	StartsAt      time.Time // full or half hours, local time
	EndsAt        *time.Time
	Tie           int64 // 1..999,999,999, another for each event: the sub-second digits of its sort key
	Timezone      string
	PriceAmount   *int64 // minor units; nil is free
	PriceCurrency *string
	Capacity      *int
	City          string
	LocationText  string
	Lat, Lng      *float64
	CreatedAt     time.Time
	PublishedAt   *time.Time
	CanceledAt    *time.Time

	number int
	city   int
}

// Attendance is who goes to one event and who is invited.
type Attendance struct {
	EventID     domain.EventID
	OrganizerID domain.UserID // who has invited
	Capacity    *int          // never fewer than are going
	Canceled    bool          // its counters are closed
	Going       []Going
	Invited     []Invited
}

// Going is one participant; nobody stands twice in one Attendance.
type Going struct {
	UserID    domain.UserID
	Incognito bool
	JoinedAt  time.Time
}

// Invited is one invitation that has not been answered.
type Invited struct {
	UserID    domain.UserID
	CreatedAt time.Time
}

// World makes the data of one plan. Item n of a stream depends on the seed,
// the number of users and n alone, so a larger plan begins with the smaller.
type World struct {
	plan      Plan
	today     time.Time
	suffix    string    // of usernames, so that two seeds can share a database
	residents [][]int32 // numbers of the users of each city
}

// NewWorld prepares a plan.
func NewWorld(plan Plan) (*World, error) {
	switch {
	case plan.Users < 1 || plan.Users > 100_000_000:
		return nil, fmt.Errorf("users must be between 1 and 100000000")
	case plan.Events < 0 || plan.Events > 1_000_000_000:
		return nil, fmt.Errorf("events must be between 0 and 1000000000")
	}
	w := &World{
		plan:      plan,
		today:     plan.Now.UTC().Truncate(24 * time.Hour),
		suffix:    usernameSuffix(plan.Seed),
		residents: make([][]int32, len(allCities())),
	}
	for n := range plan.Users {
		home := drawCity(roll(plan.Seed, ofUser, n))
		w.residents[home] = append(w.residents[home], int32(n))
	}
	return w, nil
}

// Size tells how many users and events there will be.
func (w *World) Size() (users, events int) { return w.plan.Users, w.plan.Events }

// drawCity draws one of all cities by the size of its scene.
func drawCity(d dice) int {
	cities := allCities()
	return d.weighted(len(cities), func(i int) float64 { return cities[i].weight })
}

// residentsOf gives the users of a city; in a very small world everybody, when
// a city has none. The early ones of the list are the more active ones.
func (w *World) residentsOf(city int) []int32 {
	if len(w.residents[city]) > 0 {
		return w.residents[city]
	}
	for _, others := range w.residents {
		if len(others) > 0 {
			return others
		}
	}
	return nil
}

// stream makes the items 0..n-1 one after the other.
func stream[T any](n int, item func(int) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range n {
			if !yield(item(i)) {
				return
			}
		}
	}
}
