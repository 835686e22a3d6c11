package dataset

import (
	"iter"
	"slices"
	"strconv"
	"time"

	"moothall/internal/domain"
)

// Users returns the accounts.
func (s *Dataset) Users() iter.Seq[User] { return stream(s.plan.Users, s.user) }

func (s *Dataset) user(n int) User {
	d := newRandom(s.plan.Seed, forUser, n)
	home := allCities()[drawCity(d)]
	l := languageOf(d, home.country)
	given := pick(d, l.given)
	username := given.latin + "." + strconv.FormatInt(int64(n), 36) + s.suffix
	u := User{
		ID:          s.userID(n),
		Email:       username + "@example.org",
		DisplayName: given.native,
		Username:    username,
		City:        home.name,
		CreatedAt:   s.userCreated(n),
	}
	if d.chance(0.7) {
		u.DisplayName = l.join(given.native, pick(d, l.family))
	}
	for range d.IntN(5) {
		if c := pick(d, categories); !slices.Contains(u.Interests, c) {
			u.Interests = append(u.Interests, c)
		}
	}
	return u
}

// userID has a random source of its own, so that other items can refer to a user
// without generating it.
func (s *Dataset) userID(n int) domain.UserID {
	return newID(newRandom(s.plan.Seed, forUserID, n), n)
}

// userCreated returns a time before everything that the user does.
func (s *Dataset) userCreated(n int) time.Time {
	return s.today.AddDate(-2, 0, 0).Add(time.Duration(n%25_000_000) * 2 * time.Second)
}

// usernameSuffix makes the usernames of different seeds different.
func usernameSuffix(seed uint64) string {
	return "." + strconv.FormatUint(mix(seed)%(36*36*36*36), 36)
}

// maxFollows limits how many users one user follows.
const maxFollows = 20

// Follows returns the follows: mostly between users of the same city. A few users
// have very many followers.
func (s *Dataset) Follows() iter.Seq[Follow] {
	return func(yield func(Follow) bool) {
		for n := range s.plan.Users {
			for _, f := range s.followsOf(n) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

func (s *Dataset) followsOf(n int) []Follow {
	neighbours := s.residentsOf(drawCity(newRandom(s.plan.Seed, forUser, n)))
	d := newRandom(s.plan.Seed, forFollows, n)
	taken := []int{n}
	var follows []Follow
	for range d.zipf(maxFollows) {
		other := d.zipf(s.plan.Users)
		if d.chance(0.8) {
			other = int(neighbours[d.zipf(len(neighbours))])
		}
		if slices.Contains(taken, other) {
			continue
		}
		taken = append(taken, other)
		follows = append(follows, Follow{
			Follower:  s.userID(n),
			Followed:  s.userID(other),
			CreatedAt: d.between(s.userCreated(max(n, other)), s.today),
		})
	}
	return follows
}
