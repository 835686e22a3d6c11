package session

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// Service implements the use cases of sessions.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Users  *user.Service
	Limits *ratelimit.Limits // nil: refreshes are not limited

	// WriteClock measures the age of writes. It is Clock, except in tests that stop Clock.
	WriteClock domain.Clock

	Key []byte // derives the pairs of repeated refreshes; the same on all instances

	AccessTTL  time.Duration // lifetime of an access token
	RefreshTTL time.Duration // lifetime of a refresh token; each refresh renews it
	MaxAge     time.Duration // lifetime of a session, which refreshes do not extend
	RaceWindow time.Duration // time after a refresh in which reuse of the old token is not theft; 0: none

	touches atomic.Int32 // writes of last_used_at in progress
}

// ByAccessToken returns the viewer of an access token. It returns
// domain.Unauthorized for a token that is malformed, unknown, expired, rotated
// or revoked, or whose account is suspended.
func (s *Service) ByAccessToken(ctx context.Context, token string, c Client) (domain.Viewer, error) {
	return s.viewer(ctx, byAccessStmt, accessToken, token, c)
}

// ByRefreshToken is ByAccessToken for a refresh token. It does not rotate the token.
func (s *Service) ByRefreshToken(ctx context.Context, token string, c Client) (domain.Viewer, error) {
	return s.viewer(ctx, byRefreshStmt, refreshToken, token, c)
}

func (s *Service) viewer(ctx context.Context, stmt *db.Stmt, kind TokenKind, token string, c Client) (domain.Viewer, error) {
	hash, ok := kind.Hash(token)
	if !ok {
		return domain.Viewer{}, domain.Unauthorized
	}
	return s.viewerBy(ctx, stmt, hash, c)
}

// ByID returns the viewer of an active session, which the caller has identified by other
// means. Returns domain.Unauthorized if it has ended or its account is suspended.
func (s *Service) ByID(ctx context.Context, id domain.SessionID, c Client) (domain.Viewer, error) {
	return s.viewerBy(ctx, byIDStmt, id, c)
}

// viewerBy returns the viewer of the session with a key.
func (s *Service) viewerBy(ctx context.Context, stmt *db.Stmt, key any, c Client) (domain.Viewer, error) {
	now := s.Clock.Now()
	var v domain.Viewer
	var lastUsedAt time.Time
	var wroteAt *time.Time
	var emailKey *string
	var emailVerified bool
	err := s.DB.One(ctx, stmt, key, now).
		ScanOr(domain.Unauthorized, &v.SessionID, &v.UserID, &lastUsedAt, &wroteAt, &emailKey, &emailVerified)
	if err != nil {
		return domain.Viewer{}, err
	}
	v.WroteRecently = s.WroteRecently(wroteAt)
	v.Moderator = s.Users.Moderators.Include(v.UserID, emailKey, emailVerified)
	if now.Sub(lastUsedAt) >= TouchEvery {
		s.touch(ctx, v.SessionID, c, now)
	}
	return v, nil
}

// Active returns those of some sessions that are active, and when each expires unless it is
// refreshed.
func (s *Service) Active(ctx context.Context, ids []domain.SessionID) (map[domain.SessionID]time.Time, error) {
	active := make(map[domain.SessionID]time.Time, len(ids))
	for row, err := range s.DB.Query(ctx, activeStmt, ids, s.Clock.Now()) {
		if err != nil {
			return nil, err
		}
		var id domain.SessionID
		var expiresAt time.Time
		if err := row.Scan(&id, &expiresAt); err != nil {
			return nil, err
		}
		active[id] = expiresAt
	}
	return active, nil
}

// recentWrite is the age of a write after which every instance knows it: a second for
// stale caches, one for a slow commit, and one for clocks that differ.
const recentWrite = 3 * time.Second

// WroteRecently reports whether the latest write of a viewer is so recent that an instance
// may not know it yet.
func (s *Service) WroteRecently(wroteAt *time.Time) bool {
	return wroteAt != nil && s.WriteClock.Now().Sub(*wroteAt).Abs() < recentWrite
}

// RecordWrite queues a note that the viewer's transaction changes what responses show, so
// that the viewer sees the change on every instance at once. One process on SQLite needs
// none.
func (s *Service) RecordWrite(ctx context.Context, tx db.Tx, v domain.Viewer) {
	if !v.SessionID.IsZero() && tx.Engine() == db.PostgreSQL {
		tx.Queue(ctx, recordWriteStmt, v.SessionID, s.WriteClock.Now())
	}
}

const (
	TouchEvery = time.Minute // precision of last_used_at
	maxTouches = 2           // concurrent writes of last_used_at, per instance
)

// touch records the last use in the background, so that the request does not wait. If
// maxTouches writes are in progress or the write fails, a later request records it.
func (s *Service) touch(ctx context.Context, id domain.SessionID, c Client, now time.Time) {
	if s.touches.Add(1) > maxTouches {
		s.touches.Add(-1)
		return
	}
	go func() {
		defer s.touches.Add(-1)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, _ = s.DB.Exec(ctx, touchStmt, id, now, c.Network, now.Add(-TouchEvery))
	}()
}

// Start creates a session for a user who has just signed in, and notifies the user if the
// device is new. It returns nil if the account is suspended.
func (s *Service) Start(ctx context.Context, tx db.Tx, user domain.UserID, m Method, p Pair, c Client, now time.Time) (*SignedIn, error) {
	end := now.Add(s.MaxAge)
	t := Tokens{
		SessionID: domain.NewID[domain.SessionKind](now),
		Access:    p.access, AccessExpiresAt: earliest(now.Add(s.AccessTTL), end),
		Refresh: p.refresh, RefreshExpiresAt: earliest(now.Add(s.RefreshTTL), end),
	}
	earlier, err := earlierDevices(ctx, tx, user)
	if err != nil {
		return nil, err
	}
	access, refresh := p.hashes()
	inserted, err := tx.Exec(ctx, insertStmt, t.SessionID, user, m, access, t.AccessExpiresAt,
		refresh, t.RefreshExpiresAt, end, now, c.UserAgent, c.Network)
	if err != nil || inserted == 0 {
		return nil, err
	}
	account, err := s.Users.Account(ctx, tx, user)
	if err == nil {
		err = notifyNewDevice(ctx, tx, user, account, t.SessionID, c, earlier, now)
	}
	return &SignedIn{Tokens: t, Account: account}, err
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Unused returns the session that was started with a pair. It returns nil if the
// session was refreshed or revoked, if its access token has expired, or if the account
// is suspended.
func (s *Service) Unused(ctx context.Context, tx db.Tx, p Pair, now time.Time) (*SignedIn, error) {
	in := SignedIn{Tokens: Tokens{Access: p.access, Refresh: p.refresh}}
	var user domain.UserID
	access, refresh := p.hashes()
	found, err := tx.One(ctx, byPairStmt, access, refresh, now).Find(&in.SessionID, &user, &in.AccessExpiresAt, &in.RefreshExpiresAt)
	if err != nil || !found {
		return nil, err
	}
	in.Account, err = s.Users.Account(ctx, tx, user)
	return &in, err
}

// List returns the viewer's active sessions: the current one first, then the
// most recently used.
func (s *Service) List(ctx context.Context, v domain.Viewer) ([]Listed, error) {
	list, err := db.All(ctx, s.DB, scanListed, listStmt, v.UserID, s.Clock.Now())
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Current = list[i].ID == v.SessionID
	}
	if i := slices.IndexFunc(list, func(l Listed) bool { return l.Current }); i > 0 {
		current := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, current)
	}
	return list, nil
}

// Revoke ends one of the viewer's sessions. It does nothing for a session of
// another user or an unknown one (contract §2.5).
func (s *Service) Revoke(ctx context.Context, v domain.Viewer, id domain.SessionID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		tx.Changed(access.Rights.Of(v.UserID))
		tx.Queue(ctx, revokeOwnStmt, id, v.UserID, s.Clock.Now())
		return nil
	})
}

// RevokeOthers ends all of the viewer's sessions except the current one.
func (s *Service) RevokeOthers(ctx context.Context, v domain.Viewer) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error { return s.revokeOthers(ctx, tx, v, s.Clock.Now()) })
}

// RevokeAll ends every session of a user in the caller's transaction.
func (s *Service) RevokeAll(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	return s.revokeOthers(ctx, tx, domain.Viewer{UserID: user}, now)
}

func (s *Service) revokeOthers(ctx context.Context, tx db.Tx, v domain.Viewer, now time.Time) error {
	tx.Changed(access.Rights.Of(v.UserID))
	_, err := tx.Exec(ctx, revokeOthersStmt, v.SessionID, v.UserID, now)
	return err
}

// Logout ends the session of a refresh token, the newest or an older one, and returns its
// user and session. It does nothing if the token has no active session.
func (s *Service) Logout(ctx context.Context, token string) (of domain.Viewer, err error) {
	hash, ok := refreshToken.Hash(token)
	if !ok {
		return of, nil
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		found, err := tx.One(ctx, revokeByRefreshStmt, hash, s.Clock.Now()).Find(&of.SessionID, &of.UserID)
		if found {
			tx.Changed(access.Rights.Of(of.UserID))
		}
		return err
	})
	return of, err
}

// retention is how long Purge keeps a session after its refresh token has expired.
const retention = 30 * 24 * time.Hour

// Purge deletes retired refresh tokens that have expired and sessions that
// ended long ago. Several instances may run it at once.
func (s *Service) Purge(ctx context.Context) error {
	now := s.Clock.Now()
	return errors.Join(
		db.Drain(ctx, s.DB, purgeRetiredStmt, now),
		db.Drain(ctx, s.DB, purgeSessionsStmt, now.Add(-retention)))
}
