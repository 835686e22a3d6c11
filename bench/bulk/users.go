package bulk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"moothall/bench/dataset"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Users inserts new accounts, whose addresses count as verified, their profiles and their search
// index. One call with many users is fastest, because it inserts the index in the order of the
// primary key. It needs about 50 MB of memory for 100,000 users.
func Users(ctx context.Context, d *db.DB, all []dataset.User) error {
	emails := make([]user.Email, len(all))
	for i, u := range all {
		var err error
		if emails[i], err = user.ParseEmail(u.Email); err != nil {
			return fmt.Errorf("user %d: %w", i, err)
		}
	}
	next := 0
	users := []string{"id", "email", "email_key", "email_verified", "test_profile", "created_at"}
	_, err := d.Bulk(ctx, "users", users, rowsOf(all, func(u dataset.User) []any {
		next++
		return []any{u.ID, emails[next-1].Address, emails[next-1].Key, true, false, u.CreatedAt}
	}))
	if err != nil {
		return err
	}
	index := searchIndex{postings: map[string][]posting{}}
	profiles := []string{"user_id", "display_name", "username", "city", "interests", "words", "name_chosen", "created_at",
		"updated_at"}
	_, err = d.Bulk(ctx, "profiles", profiles, rowsOf(all, func(u dataset.User) []any {
		p := user.Public{DisplayName: u.DisplayName, Username: u.Username}
		if u.City != "" {
			p.City = &u.City
		}
		interests, _ := json.Marshal(append([]string{}, u.Interests...)) // strings always encode
		r := user.IndexOf(p)
		index.add(u.ID, r)
		return []any{u.ID, u.DisplayName, u.Username, p.City, string(interests), r.Words, true, u.CreatedAt, u.CreatedAt}
	}))
	if err != nil {
		return err
	}
	_, err = d.Bulk(ctx, "people", []string{"term", "name_key", "user_id", "shared"}, index.rows())
	return err
}

// Follows inserts new follows.
func Follows(ctx context.Context, d *db.DB, all []dataset.Follow) error {
	_, err := d.Bulk(ctx, "follows", []string{"follower_id", "followed_id", "created_at"}, rowsOf(all, func(f dataset.Follow) []any {
		return []any{f.Follower, f.Followed, f.CreatedAt}
	}))
	return err
}

// searchIndex is the search index of new users.
type searchIndex struct {
	users    []indexedUser
	postings map[string][]posting // by term
}

type indexedUser struct {
	nameKey string
	id      domain.UserID
}

// posting is one user under one term.
type posting struct {
	user   int32 // index in users
	shared int32
}

func (x *searchIndex) add(id domain.UserID, r user.IndexRows) {
	for i, term := range r.Terms {
		x.postings[term] = append(x.postings[term], posting{int32(len(x.users)), int32(r.Shared[i])})
	}
	x.users = append(x.users, indexedUser{r.NameKey, id})
}

// rows returns the rows in the order of the primary key, which both engines
// insert fastest.
func (x *searchIndex) rows() iter.Seq[[]any] {
	rank := x.ranks()
	return func(yield func([]any) bool) {
		for _, term := range slices.Sorted(maps.Keys(x.postings)) {
			postings := x.postings[term]
			slices.SortFunc(postings, func(a, b posting) int { return cmp.Compare(rank[a.user], rank[b.user]) })
			for _, p := range postings {
				u := x.users[p.user]
				if !yield([]any{term, u.nameKey, u.id, int64(p.shared)}) {
					return
				}
			}
		}
	}
}

// ranks returns the rank of each user in the order of names.
func (x *searchIndex) ranks() []int {
	order := make([]int, len(x.users))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := x.users[i], x.users[j]
		return cmp.Or(strings.Compare(a.nameKey, b.nameKey), slices.Compare(a.id[:], b.id[:]))
	})
	rank := make([]int, len(order))
	for r, i := range order {
		rank[i] = r
	}
	return rank
}
