package profile

import (
	"encoding/json"
	"fmt"

	"github.com/go-faster/jx"

	"moothall/internal/db"
	"moothall/internal/meet"
)

// Columns are the columns of a Public, of the profiles row called alias, for
// the SELECTs of other rooms; Columned takes them in, Scan when they are alone.
// In an outer join without a row they are all NULL.
func Columns(alias string) string {
	return fmt.Sprintf("%[1]s.user_id, %[1]s.display_name, %[1]s.username, %[1]s.avatar_url, %[1]s.city, %[1]s.interests", alias)
}

// Columned holds the scanned Columns of one row.
type Columned struct {
	id                              *meet.UserID
	name, username, avatarURL, city *string
	interests                       *string // JSON
}

// Dest gives the destinations for Columns, in their order.
func (c *Columned) Dest() []any {
	return []any{&c.id, &c.name, &c.username, &c.avatarURL, &c.city, &c.interests}
}

// Public gives the profile, nil when the outer join found none.
func (c *Columned) Public() *Public {
	if c.id == nil {
		return nil
	}
	return &Public{
		UserID: *c.id, DisplayName: *c.name, Username: *c.username,
		AvatarURL: c.avatarURL, City: c.city, Interests: decodeInterests(*c.interests),
	}
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
// of a list needs it, so it does without reflection.
func decodeInterests(stored string) []string {
	list := []string{}
	_ = jx.DecodeStr(stored).Arr(func(d *jx.Decoder) error { // written by encodeInterests
		interest, err := d.Str()
		list = append(list, interest)
		return err
	})
	return list
}
