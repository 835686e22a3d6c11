package user

import (
	"cmp"
	"context"
	"fmt"
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
	CreatedAt   time.Time
}

// Import stores new accounts: all the users, then all the profiles, then how
// they are found. The list of people is in the order of words, so every call
// goes through all of it: few calls with very many people are cheapest. Of
// 100,000 people it holds some 50 MB meanwhile.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	users := []string{"id", "email", "email_key", "email_verified", "test_profile", "created_at"}
	_, err := d.Bulk(ctx, "users", users, rowsOf(all, func(i Imported) []any {
		return []any{i.UserID, i.Email.Address, i.Email.Key, true, false, i.CreatedAt}
	}))
	if err != nil {
		return fmt.Errorf("user.import: %w", err)
	}
	found := listed{postings: map[string][]posting{}}
	profiles := []string{"user_id", "display_name", "username", "city", "interests", "words", "created_at", "updated_at"}
	_, err = d.Bulk(ctx, "profiles", profiles, rowsOf(all, func(i Imported) []any {
		l := listingOf(Public{DisplayName: i.DisplayName, Username: i.Username, City: i.City})
		found.add(i.UserID, l)
		return []any{i.UserID, i.DisplayName, i.Username, i.City, encodeInterests(i.Interests), l.words, i.CreatedAt, i.CreatedAt}
	}))
	if err != nil {
		return fmt.Errorf("user.import: %w", err)
	}
	if _, err = d.Bulk(ctx, "people", []string{"term", "name_key", "user_id", "shared"}, found.rows()); err != nil {
		return fmt.Errorf("user.import: %w", err)
	}
	return nil
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

// listed is how many people stand in the list.
type listed struct {
	people   []listedPerson
	postings map[string][]posting // by term
}

type listedPerson struct {
	nameKey string
	id      domain.UserID
}

// posting is one person under one term.
type posting struct {
	person int32 // in the order of adding
	shared int32
}

func (f *listed) add(id domain.UserID, l listing) {
	for n, term := range l.terms {
		f.postings[term] = append(f.postings[term], posting{int32(len(f.people)), int32(l.shared[n])})
	}
	f.people = append(f.people, listedPerson{l.nameKey, id})
}

// rows gives the rows of people in the order of the primary key, which both
// engines take fastest.
func (f *listed) rows() iter.Seq[[]any] {
	place := f.places()
	return func(yield func([]any) bool) {
		for _, term := range slices.Sorted(maps.Keys(f.postings)) {
			under := f.postings[term]
			slices.SortFunc(under, func(a, b posting) int { return cmp.Compare(place[a.person], place[b.person]) })
			for _, p := range under {
				found := f.people[p.person]
				if !yield([]any{term, found.nameKey, found.id, int64(p.shared)}) {
					return
				}
			}
		}
	}
}

// places gives everybody's place among all, by name.
func (f *listed) places() []int {
	order := make([]int, len(f.people))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		one, other := f.people[a], f.people[b]
		return cmp.Or(strings.Compare(one.nameKey, other.nameKey), slices.Compare(one.id[:], other.id[:]))
	})
	place := make([]int, len(order))
	for at, i := range order {
		place[i] = at
	}
	return place
}
