package user

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Imported is an account with its profile, for seeding.
type Imported struct {
	UserID      domain.UserID
	Email       Email // counts as verified
	DisplayName string
	Username    string
	City        *string
	Interests   []string
	AvatarURL   *string
	CreatedAt   time.Time
}

// Import inserts new accounts, their profiles and their search index. One call with
// many users is fastest, because it inserts the index in the order of the primary
// key. It needs about 50 MB of memory for 100,000 users.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	users := []string{"id", "email", "email_key", "email_verified", "test_profile", "created_at"}
	_, err := d.Bulk(ctx, "users", users, rowsOf(all, func(i Imported) []any {
		return []any{i.UserID, i.Email.Address, i.Email.Key, true, false, i.CreatedAt}
	}))
	if err != nil {
		return err
	}
	index := importedIndex{postings: map[string][]posting{}}
	profiles := []string{"user_id", "display_name", "username", "city", "interests", "avatar_url", "words", "created_at", "updated_at"}
	_, err = d.Bulk(ctx, "profiles", profiles, rowsOf(all, func(i Imported) []any {
		r := IndexOf(Public{DisplayName: i.DisplayName, Username: i.Username, City: i.City})
		index.add(i.UserID, r)
		return []any{i.UserID, i.DisplayName, i.Username, i.City, encodeInterests(i.Interests), i.AvatarURL, r.Words, i.CreatedAt, i.CreatedAt}
	}))
	if err != nil {
		return err
	}
	_, err = d.Bulk(ctx, "people", []string{"term", "name_key", "user_id", "shared"}, index.rows())
	return err
}

func rowsOf[T any](all []T, columns func(T) []any) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, i := range all {
			if !yield(columns(i)) {
				return
			}
		}
	}
}

// importedIndex is the search index of the imported users.
type importedIndex struct {
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

func (x *importedIndex) add(id domain.UserID, r IndexRows) {
	for i, term := range r.Terms {
		x.postings[term] = append(x.postings[term], posting{int32(len(x.users)), int32(r.Shared[i])})
	}
	x.users = append(x.users, indexedUser{r.NameKey, id})
}

// rows returns the rows in the order of the primary key, which both engines
// insert fastest.
func (x *importedIndex) rows() iter.Seq[[]any] {
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
func (x *importedIndex) ranks() []int {
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
