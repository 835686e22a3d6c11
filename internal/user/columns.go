package user

import (
	"encoding/json"
	"fmt"
	"strings"

	"moothall/internal/platform/db"
)

// Columns are the columns of a Public, of the profiles row called alias, for
// the SELECTs of other rooms; Columned takes them in, Scan when they are alone.
// In an outer join without a row they are all NULL.
func Columns(alias string) string {
	return fmt.Sprintf("%[1]s.user_id, %[1]s.display_name, %[1]s.username, %[1]s.avatar_url, %[1]s.city, %[1]s.interests", alias)
}

// Columned holds the scanned Columns of one row.
type Columned struct {
	public    Public
	interests string // as they are stored
}

// Dest gives the destinations for Columns, in their order.
func (c *Columned) Dest() []any {
	return []any{db.OrZero(&c.public.UserID), db.OrZero(&c.public.DisplayName), db.OrZero(&c.public.Username),
		&c.public.AvatarURL, &c.public.City, db.OrZero(&c.interests)}
}

// Public gives the profile, nil when the outer join found none.
func (c *Columned) Public() *Public {
	if c.public.UserID.IsZero() {
		return nil
	}
	c.public.Interests = decodeInterests(c.interests)
	return &c.public
}

// Scan reads a row that consists of Columns, which are not NULL.
func Scan(row db.Row, p *Public) error {
	var c Columned
	if err := row.Scan(c.Dest()...); err != nil {
		return err
	}
	*p = *c.Public()
	return nil
}

// encodeInterests gives the list as it is stored.
func encodeInterests(list []string) string {
	encoded, _ := json.Marshal(list) // strings always encode
	return string(encoded)
}

// decodeInterests reads what encodeInterests wrote; it is never nil. Every card
// of a list needs it: where nothing is escaped it only cuts.
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
