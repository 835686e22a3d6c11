package access

import (
	"encoding/base32"

	"moothall/internal/domain"
)

// SessionUser returns the viewer, or the zero id if the request has an API key. SQL compares it with the organizer of an event: no API key
// sees who takes part incognito.
func SessionUser(v domain.Viewer) domain.UserID {
	if v.Key != nil {
		return domain.UserID{}
	}
	return v.UserID
}

// ListsGuest is the condition that lists of guests have a row for the viewer, a host: only the organizer sees incognito guests, and
// guests in a block with the organizer are omitted. All arguments are SQL.
func ListsGuest(user, visibility, viewer, organizer string) string {
	return `(` + visibility + ` = 'public' OR ` + organizer + ` = ` + viewer + `) AND ` + NotBlocked(user, organizer)
}

// NamesGuest is the condition that such a row names the guest. Otherwise it shows GuestCode. session is the parameter of SessionUser.
func NamesGuest(user, visibility, viewer, session, organizer string) string {
	return `((` + visibility + ` = 'public' OR ` + organizer + ` = ` + session + `) AND ` + NotBlocked(user, viewer) + `)`
}

// codes has no letter that looks like a digit.
var codes = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

// GuestCode returns four letters and digits that stand for the name of a guest within an event. They come from random bits of the id of
// the guest's row, so they reveal nothing about the account.
func GuestCode[kind any](row domain.ID[kind]) string { return codes.EncodeToString(row[13:])[:4] }
