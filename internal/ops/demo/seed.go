// Package seed generates realistic data: users, follows, events, attendance, posts
// and reviews in many cities, languages and scripts. The same plan generates the
// same data, ids included. Fill writes it to a database.
package demo

import (
	"fmt"
	"iter"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/datevote"
)

// Plan describes the data to generate.
type Plan struct {
	Seed   uint64
	Users  int
	Events int
	Now    time.Time // events start from 30 days before to 335 days after its day
}

// User is an account with its profile.
type User struct {
	ID          domain.UserID
	Email       string // at example.org, verified
	DisplayName string
	Username    string
	City        string
	Interests   []string
	AvatarURL   *string
	CreatedAt   time.Time
}

// Follow is one user following another.
type Follow struct {
	Follower, Followed domain.UserID
	CreatedAt          time.Time
}

// Event is an event with the times of its status changes.
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
	Tie           int64 // 1..999,999,999, unique: the sub-second digits of the sort key
	Timezone      string
	PriceAmount   *int64 // minor units; nil is free
	PriceCurrency *string
	Capacity      *int
	City          string
	LocationText  string
	Lat, Lng      *float64
	ImageURL      *string
	CreatedAt     time.Time
	PublishedAt   *time.Time
	CanceledAt    *time.Time
	DateOptions   []datevote.Imported // if any, the date is voted on

	number int
	city   int
}

// Attendance is the participants of one event and its open invitations.
type Attendance struct {
	EventID     domain.EventID
	OrganizerID domain.UserID // has sent the invitations
	Capacity    *int          // at least the number of participants
	Canceled    bool          // users cannot join
	Going       []Going
	Invited     []Invited
}

// Going is one participant. A user occurs once in an Attendance.
type Going struct {
	UserID    domain.UserID
	Incognito bool
	JoinedAt  time.Time
}

// Invited is one invitation without an answer.
type Invited struct {
	ID        domain.InvitationID // a new one if zero
	UserID    domain.UserID
	CreatedAt time.Time
}

// Dataset generates the data of a plan. Item n depends only on the seed, the number of
// users and n, so a plan with more events begins with the same events.
type Dataset struct {
	plan      Plan
	today     time.Time
	suffix    string    // of usernames: two seeds can share a database
	residents [][]int32 // numbers of each city's users
}

// NewDataset prepares the data of a plan. It returns an error if a number is out of
// range.
func NewDataset(plan Plan) (*Dataset, error) {
	switch {
	case plan.Users < 1 || plan.Users > 100_000_000:
		return nil, fmt.Errorf("users must be between 1 and 100000000")
	case plan.Events < 0 || plan.Events > 1_000_000_000:
		return nil, fmt.Errorf("events must be between 0 and 1000000000")
	}
	s := &Dataset{
		plan:      plan,
		today:     plan.Now.UTC().Truncate(24 * time.Hour),
		suffix:    usernameSuffix(plan.Seed),
		residents: make([][]int32, len(allCities())),
	}
	for n := range plan.Users {
		home := drawCity(newRandom(plan.Seed, forUser, n))
		s.residents[home] = append(s.residents[home], int32(n))
	}
	return s, nil
}

// Size returns the numbers of users and events.
func (s *Dataset) Size() (users, events int) { return s.plan.Users, s.plan.Events }

// drawCity returns the index of a random city, weighted by size.
func drawCity(d random) int {
	cities := allCities()
	return d.weighted(len(cities), func(i int) float64 { return cities[i].weight })
}

// residentsOf returns the users of a city, the most active first. If the city has
// none, in a very small dataset, it returns those of another city.
func (s *Dataset) residentsOf(city int) []int32 {
	if len(s.residents[city]) > 0 {
		return s.residents[city]
	}
	for _, others := range s.residents {
		if len(others) > 0 {
			return others
		}
	}
	return nil
}

// stream generates the items 0..n-1.
func stream[T any](n int, item func(int) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range n {
			if !yield(item(i)) {
				return
			}
		}
	}
}
