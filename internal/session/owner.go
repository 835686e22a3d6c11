package session

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// UserOfPhone returns the user of a phone if one of the tokens is the newest of a session
// of theirs that was not revoked, even an expired one; otherwise the zero UserID. This
// proves that the client has signed in as the user before, not that it may act as the user.
func (s *Service) UserOfPhone(ctx context.Context, phone, access, refresh string) (id domain.UserID, err error) {
	accessHash, hasAccess := accessToken.Hash(access)
	refreshHash, hasRefresh := refreshToken.Hash(refresh)
	if !hasAccess && !hasRefresh {
		return id, nil
	}
	_, err = s.DB.One(ctx, userOfPhoneStmt, phone, accessHash, refreshHash).Find(&id)
	return id, err
}

var userOfPhoneStmt = db.SQL("session.user_of_phone", `
	SELECT u.id FROM users u WHERE u.phone = $1 AND EXISTS (
		SELECT 1 FROM sessions s
		WHERE s.user_id = u.id AND s.revoked_at IS NULL AND (s.access_hash = $2 OR s.refresh_hash = $3))`)
