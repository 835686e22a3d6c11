package session

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Owner is the user of a session.
type Owner struct {
	ID       domain.UserID
	EmailKey *string
	Phone    *string
}

// Owner returns the user of the session whose newest access or refresh token is one of the
// tokens, even an expired one, unless the session was revoked. This proves that the client
// has signed in as the user before, not that it may act as the user.
//
// It looks up tokens only, so that its time reveals nothing about an address or a phone.
func (s *Service) Owner(ctx context.Context, access, refresh string) (o Owner, found bool, err error) {
	accessHash, hasAccess := accessToken.Hash(access)
	refreshHash, hasRefresh := refreshToken.Hash(refresh)
	if !hasAccess && !hasRefresh {
		return o, false, nil
	}
	found, err = s.DB.One(ctx, ownerStmt, accessHash, refreshHash).Find(&o.ID, &o.EmailKey, &o.Phone)
	return o, found, err
}

var ownerStmt = db.SQL("session.owner", `
	SELECT u.id, u.email_key, u.phone FROM sessions s JOIN users u ON u.id = s.user_id
	WHERE s.revoked_at IS NULL AND (s.access_hash = $1 OR s.refresh_hash = $2) LIMIT 1`)
