package seed

import (
	"iter"
	"slices"
	"strconv"
	"time"

	"moothall/internal/domain"
)

// Users makes the accounts.
func (w *World) Users() iter.Seq[User] { return stream(w.plan.Users, w.user) }

func (w *World) user(n int) User {
	d := roll(w.plan.Seed, ofUser, n)
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

// userID has chances of its own, so that others can refer to a user without
// making it.
func (w *World) userID(n int) domain.UserID {
	return newID(roll(w.plan.Seed, ofUserID, n), n)
}

// userCreated lies before anything a user does.
func (w *World) userCreated(n int) time.Time {
	return w.today.AddDate(-2, 0, 0).Add(time.Duration(n%25_000_000) * 2 * time.Second)
}

// usernameSuffix tells the usernames of one seed from those of another.
func usernameSuffix(seed uint64) string {
	return "." + strconv.FormatUint(scramble(seed)%(36*36*36*36), 36)
}

// maxFollows bounds how many people one user follows.
const maxFollows = 20

// Follows makes who follows whom: mostly people of the same city, and a few
// people have very many followers.
func (w *World) Follows() iter.Seq[Follow] {
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

func (w *World) followsOf(n int) []Follow {
	neighbours := w.residentsOf(drawCity(roll(w.plan.Seed, ofUser, n)))
	d := roll(w.plan.Seed, ofFollows, n)
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
