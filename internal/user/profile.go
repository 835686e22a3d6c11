// Package user owns accounts and their profiles: the current user, what
// others see of a user, and finding or making the account of a sign-in
// (specification §2.3, contract §3).
package user

import (
	"slices"
	"time"

	"moothall/internal/domain"
)

// Public is a user as others see them.
type Public struct {
	UserID      domain.UserID
	DisplayName string
	Username    string
	AvatarURL   *string
	City        *string
	Interests   []string
}

// Account is a user as they see themselves.
type Account struct {
	Email     *string // nil for a phone-only account
	Phone     *string // E.164
	Moderator bool
	CreatedAt time.Time
	Profile   Own
}

// Own is the profile of the current user.
type Own struct {
	Public
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Change is what a user asks to change in their profile: nil is left as it is.
type Change struct {
	DisplayName *string
	Username    *string
	AvatarURL   domain.Opt[string]
	City        domain.Opt[string]
	Interests   *[]string
}

// applied gives the profile after a change that has been cleaned.
func (c Change) applied(p Public) Public {
	if c.DisplayName != nil {
		p.DisplayName = *c.DisplayName
	}
	if c.Username != nil {
		p.Username = *c.Username
	}
	c.AvatarURL.SetOrClear(&p.AvatarURL)
	c.City.SetOrClear(&p.City)
	if c.Interests != nil {
		p.Interests = *c.Interests
	}
	return p
}

func (p Public) equal(other Public) bool {
	return p.UserID == other.UserID && p.DisplayName == other.DisplayName && p.Username == other.Username &&
		sameText(p.AvatarURL, other.AvatarURL) && sameText(p.City, other.City) &&
		slices.Equal(p.Interests, other.Interests)
}

// listedAs reports whether the list has the same of both.
func (p Public) listedAs(other Public) bool {
	return p.DisplayName == other.DisplayName && p.Username == other.Username && sameText(p.City, other.City)
}

func sameText(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}
