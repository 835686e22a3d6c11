// Package dataset generates realistic data: users, follows, events, attendance, posts
// and reviews in many cities, languages and scripts. The same plan generates the
// same data, ids included.
package dataset

import (
	"fmt"
	"iter"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
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
	CreatedAt     time.Time
	PublishedAt   *time.Time
	CanceledAt    *time.Time

	number int
	city   int
}

// Attendance is the participants of one event.
type Attendance struct {
	EventID  domain.EventID
	Capacity *int // at least the number of participants
	Canceled bool // users cannot join
	Going    []Going
}

// Going is one participant. A user occurs once in an Attendance.
type Going struct {
	UserID    domain.UserID
	Incognito bool
	JoinedAt  time.Time
}

// Post is a post with its comments, likes and reposts.
type Post struct {
	ID        domain.PostID
	EventID   domain.EventID
	AuthorID  domain.UserID
	Kind      string
	Body      string
	CreatedAt time.Time
	Comments  []Comment // in the order of CreatedAt, which is different for each
	Likes     []Reaction
	Reposts   []Reaction
}

// Comment is one comment on a post.
type Comment struct {
	ID        domain.CommentID
	AuthorID  domain.UserID
	Answers   int // position of the comment that it answers, from 1; 0 for none
	Body      string
	CreatedAt time.Time
}

// Reaction is one like or repost, at most one of each user.
type Reaction struct {
	UserID    domain.UserID
	CreatedAt time.Time
}

// Review is a review of an event by a participant.
type Review struct {
	ID        domain.ReviewID
	EventID   domain.EventID
	AuthorID  domain.UserID
	Rating    int
	Body      *string
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

// New prepares the data of a plan. It returns an error if a number is out of range.
func New(plan Plan) (*Dataset, error) {
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

// Plan returns the plan of the data.
func (s *Dataset) Plan() Plan { return s.plan }

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
