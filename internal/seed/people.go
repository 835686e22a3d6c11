package seed

import (
	"iter"
	"slices"
	"strconv"
	"time"

	"moothall/internal/domain"
)

// Users returns the accounts.
func (w *Dataset) Users() iter.Seq[User] { return stream(w.plan.Users, w.user) }

func (w *Dataset) user(n int) User {
	d := newRandom(w.plan.Seed, forUser, n)
	home := allCities()[drawCity(d)]
	l := languageOf(d, home.country)
	given := pick(d, l.given)
	username := given.latin + "." + strconv.FormatInt(int64(n), 36) + w.suffix
	u := User{
		ID:          w.userID(n),
		Email:       username + "@example.org",
		DisplayName: given.native,
		Username:    username,
		City:        home.name,
		CreatedAt:   w.userCreated(n),
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
func (w *Dataset) userID(n int) domain.UserID {
	return newID(newRandom(w.plan.Seed, forUserID, n), n)
}

// userCreated returns a time before everything that the user does.
func (w *Dataset) userCreated(n int) time.Time {
	return w.today.AddDate(-2, 0, 0).Add(time.Duration(n%25_000_000) * 2 * time.Second)
}

// usernameSuffix makes the usernames of different seeds different.
func usernameSuffix(seed uint64) string {
	return "." + strconv.FormatUint(mix(seed)%(36*36*36*36), 36)
}

// maxFollows limits how many users one user follows.
const maxFollows = 20

// Follows returns the follows: mostly between users of the same city. A few users
// have very many followers.
func (w *Dataset) Follows() iter.Seq[Follow] {
	return func(yield func(Follow) bool) {
		for n := range w.plan.Users {
			for _, f := range w.followsOf(n) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

func (w *Dataset) followsOf(n int) []Follow {
	neighbours := w.residentsOf(drawCity(newRandom(w.plan.Seed, forUser, n)))
	d := newRandom(w.plan.Seed, forFollows, n)
	taken := []int{n}
	var follows []Follow
	for range d.zipf(maxFollows) {
		other := d.zipf(w.plan.Users)
		if d.chance(0.8) {
			other = int(neighbours[d.zipf(len(neighbours))])
		}
		if slices.Contains(taken, other) {
			continue
		}
		taken = append(taken, other)
		follows = append(follows, Follow{
			Follower:  w.userID(n),
			Followed:  w.userID(other),
			CreatedAt: d.between(w.userCreated(max(n, other)), w.today),
		})
	}
	return follows
}
