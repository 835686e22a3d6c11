// Package user owns accounts and profiles: the current user, public profiles, the
// search for users, and the accounts that sign-ins find or create (specification
// §2.3, contract §3).
package user

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The kinds of entities that show a user, for caches. Their ids are those of the users.
const (
	Profile  db.Kind = "profile"
	Activity db.Kind = "activity" // the listed events, public participations and reposts of the user
)

// Public is a user as others see them.
type Public struct {
	UserID      domain.UserID
	DisplayName string
	Username    string
	AvatarURL   *string
	City        *string
	Interests   []string
	NameChosen  bool // the user has chosen DisplayName
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

// Change is a change of a profile; nil fields stay as they are.
type Change struct {
	DisplayName *string
	Username    *string
	AvatarURL   domain.Opt[string]
	City        domain.Opt[string]
	Interests   *[]string
}

// apply returns the profile after a validated change.
func (c Change) apply(p Public) Public {
	if c.DisplayName != nil {
		p.DisplayName, p.NameChosen = *c.DisplayName, true
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
	return p.UserID == other.UserID && p.sameIndex(other) &&
		equalOrNil(p.AvatarURL, other.AvatarURL) && slices.Equal(p.Interests, other.Interests)
}

// sameIndex reports whether the search index has the same rows for both.
func (p Public) sameIndex(other Public) bool {
	return p.DisplayName == other.DisplayName && p.Username == other.Username && equalOrNil(p.City, other.City) &&
		p.NameChosen == other.NameChosen
}

func equalOrNil(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Columns lists the columns of a Public from the row of profiles with this alias,
// for the SELECTs of other packages. Read them with ProfileColumns, or with Scan if
// the SELECT has no other columns. An outer join without a match makes them NULL.
func Columns(alias string) string {
	return fmt.Sprintf("%[1]s.user_id, %[1]s.display_name, %[1]s.username, %[1]s.avatar_url, %[1]s.city, %[1]s.interests, %[1]s.name_chosen",
		alias)
}

// ProfileColumns reads the Columns of one row.
type ProfileColumns struct {
	public    Public
	interests string // as stored
}

// Dest returns the destinations for Columns, in their order.
func (c *ProfileColumns) Dest() []any {
	return []any{db.OrZero(&c.public.UserID), db.OrZero(&c.public.DisplayName), db.OrZero(&c.public.Username),
		&c.public.AvatarURL, &c.public.City, db.OrZero(&c.interests), db.OrZero(&c.public.NameChosen)}
}

// Public returns the profile, or nil if the columns are NULL.
func (c *ProfileColumns) Public() *Public {
	if c.public.UserID.IsZero() {
		return nil
	}
	c.public.Interests = decodeInterests(c.interests)
	return &c.public
}

// Scan reads a row that has only the Columns, which must not be NULL.
func Scan(row db.Row, p *Public) error {
	var c ProfileColumns
	if err := row.Scan(c.Dest()...); err != nil {
		return err
	}
	*p = *c.Public()
	return nil
}

// encodeInterests returns the list as it is stored.
func encodeInterests(list []string) string {
	encoded, _ := json.Marshal(list) // strings always encode
	return string(encoded)
}

// decodeInterests decodes the result of encodeInterests. It never returns nil. For
// texts without escapes it avoids the JSON decoder, because lists call it once per
// card.
func decodeInterests(stored string) []string {
	list := []string{}
	quoted := strings.Trim(stored, "[]")
	switch {
	case quoted == "":
	case strings.Contains(quoted, `\`):
		_ = json.Unmarshal([]byte(stored), &list) // written by encodeInterests
	default:
		list = strings.Split(quoted[1:len(quoted)-1], `","`)
	}
	return list
}
