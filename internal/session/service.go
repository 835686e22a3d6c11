package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/user"
)

// Options are the room's settings.
type Options struct {
	AccessTTL  time.Duration // of an access token
	RefreshTTL time.Duration // of a refresh token, anew at each refresh
	MaxAge     time.Duration // of a session, however often it is refreshed
	RaceWindow time.Duration // how long after a refresh its losers do no harm; 0 is off

	ExposeCode bool   // the dev e-mail code stands in the answer
	Key        []byte // makes the codes; the same on all instances

	Phone PhoneOptions // sign-in by phone call

	Limits *ratelimit.Limits // how often somebody may try; nil: as often as they like

	Idp  IdpOptions
	Mail MailOptions
}

// Service is the use cases of the room.
type Service struct {
	db       *db.DB
	clock    domain.Clock
	profiles *user.Service
	opts     Options
	touching chan struct{} // one place for each write of a last use under way
}

// NewService makes the room's service.
func NewService(d *db.DB, clock domain.Clock, profiles *user.Service, o Options) *Service {
	return &Service{db: d, clock: clock, profiles: profiles, opts: o, touching: make(chan struct{}, 2)}
}

// ByAccessToken tells who holds an access token; domain.Unauthorized for one that
// is malformed, unknown, expired, rotated, revoked or of a suspended account.
func (s *Service) ByAccessToken(ctx context.Context, token string, c Client) (domain.Viewer, error) {
	return s.viewer(ctx, byAccessStmt, accessToken, token, c)
}

// ByRefreshToken is ByAccessToken for a refresh token. It rotates nothing.
func (s *Service) ByRefreshToken(ctx context.Context, token string, c Client) (domain.Viewer, error) {
	return s.viewer(ctx, byRefreshStmt, refreshToken, token, c)
}

func (s *Service) viewer(ctx context.Context, stmt *db.Stmt, kind tokenKind, token string, c Client) (domain.Viewer, error) {
	hash, ok := kind.hash(token)
	if !ok {
		return domain.Viewer{}, domain.Unauthorized
	}
	now := s.clock.Now()
	f, err := find(ctx, s.db, stmt, hash, now)
	if err != nil {
		return domain.Viewer{}, err
	}
	f.viewer.Moderator = s.profiles.Moderators().Include(f.viewer.UserID, f.emailKey, f.emailVerified)
	if now.Sub(f.lastUsedAt) >= touchEvery {
		s.touch(ctx, f.viewer.SessionID, c, now)
	}
	return f.viewer, nil
}

// touchEvery is how fresh last_used_at is kept.
const touchEvery = time.Minute

// touch notes the last use beside the request, which does not wait for it. When
// the places are taken or the write fails, the next request tries again.
func (s *Service) touch(ctx context.Context, id domain.SessionID, c Client, now time.Time) {
	select {
	case s.touching <- struct{}{}:
	default:
		return
	}
	go func() {
		defer func() { <-s.touching }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, _ = s.db.Exec(ctx, touchStmt, id, now, c.Network, now.Add(-touchEvery))
	}()
}

// start makes a session for a user who has just proven to be one; nil when the
// account is suspended. It is always a new session: whatever the client held
// before has no part in it.
func (s *Service) start(ctx context.Context, tx db.Tx, user domain.UserID, m Method, c Client, now time.Time) (*SignedIn, error) {
	return s.startWith(ctx, tx, user, m, newPair(), c, now)
}

// startWith is start with tokens that were made before.
func (s *Service) startWith(ctx context.Context, tx db.Tx, user domain.UserID, m Method, p pair, c Client, now time.Time) (*SignedIn, error) {
	end := now.Add(s.opts.MaxAge)
	t := Tokens{
		SessionID: domain.NewID[domain.SessionKind](now),
		Access:    p.access, AccessExpiresAt: earlier(now.Add(s.opts.AccessTTL), end),
		Refresh: p.refresh, RefreshExpiresAt: earlier(now.Add(s.opts.RefreshTTL), end),
	}
	access, refresh := p.hashes()
	made, err := tx.Exec(ctx, insertStmt, t.SessionID, user, m, access, t.AccessExpiresAt,
		refresh, t.RefreshExpiresAt, end, now, c.UserAgent, c.Network)
	if err != nil {
		return nil, fmt.Errorf("session.start %s: %w", user, err)
	}
	if made == 0 {
		return nil, nil
	}
	account, err := s.profiles.Account(ctx, tx, user)
	if err != nil {
		return nil, fmt.Errorf("session.start %s: %w", user, err)
	}
	return &SignedIn{Tokens: t, Account: account}, nil
}

// Refresh trades a refresh token for a new pair; the old pair is invalid from
// then on. A token that was traded before ends its whole session, unless the
// trade happened within the race window. Every refusal is domain.Unauthorized.
func (s *Service) Refresh(ctx context.Context, token string, c Client) (Tokens, error) {
	old, ok := refreshToken.hash(token)
	if !ok {
		return Tokens{}, domain.Unauthorized
	}
	if err := s.limitRefresh(ctx, old); err != nil {
		return Tokens{}, err
	}
	now := s.clock.Now()
	t, won, err := s.rotate(ctx, old, c, now)
	if err == nil && !won {
		err = s.endReused(ctx, old, now)
	}
	if err != nil {
		return Tokens{}, fmt.Errorf("session.refresh: %w", err)
	}
	if !won {
		return Tokens{}, domain.Unauthorized
	}
	return t, nil
}

// rotate makes a new pair; won is false when the token is not the newest of a
// live session.
func (s *Service) rotate(ctx context.Context, old []byte, c Client, now time.Time) (t Tokens, won bool, err error) {
	p := newPair()
	t = Tokens{Access: p.access, Refresh: p.refresh}
	access, refresh := p.hashes()
	won, err = s.db.Together(ctx,
		db.Do(rotateStmt, old, access, now.Add(s.opts.AccessTTL), refresh, now.Add(s.opts.RefreshTTL), now, c.Network).
			Into(&t.SessionID, &t.AccessExpiresAt, &t.RefreshExpiresAt),
		db.Do(retireStmt, old, refresh, now))
	return t, won, err
}

// endReused ends the session of a token that was rotated before: two parties
// hold it, and one of them has stolen it.
func (s *Service) endReused(ctx context.Context, old []byte, now time.Time) error {
	var session domain.SessionID
	var retiredAt time.Time
	err := s.db.One(ctx, retiredStmt, old).Scan(&session, &retiredAt)
	if errors.Is(err, db.ErrNoRow) {
		return nil
	}
	if err != nil || inRace(retiredAt, now, s.opts.RaceWindow) {
		return err
	}
	_, err = s.db.Exec(ctx, revokeStmt, session, now)
	return err
}

// inRace reports whether a token came so soon after it was rotated that two
// tabs of one browser are the likely reason.
func inRace(retiredAt, now time.Time, window time.Duration) bool {
	return window > 0 && now.Sub(retiredAt) < window
}

// List gives the viewer's active sessions, the current one first, then by last use.
func (s *Service) List(ctx context.Context, v domain.Viewer) ([]Listed, error) {
	list, err := db.All(ctx, s.db, scanListed, listStmt, v.UserID, s.clock.Now())
	if err != nil {
		return nil, fmt.Errorf("session.list %s: %w", v.UserID, err)
	}
	for i := range list {
		list[i].Current = list[i].ID == v.SessionID
	}
	slices.SortStableFunc(list, func(a, b Listed) int { return firstIf(a.Current) - firstIf(b.Current) })
	return list, nil
}

func firstIf(first bool) int {
	if first {
		return 0
	}
	return 1
}

// Revoke ends one of the viewer's sessions. Another's or an unknown one is left
// alone without a word (contract §2.5).
func (s *Service) Revoke(ctx context.Context, v domain.Viewer, id domain.SessionID) error {
	if _, err := s.db.Exec(ctx, revokeOwnStmt, id, v.UserID, s.clock.Now()); err != nil {
		return fmt.Errorf("session.revoke %s: %w", id, err)
	}
	return nil
}

// RevokeOthers ends all of the viewer's sessions but the current one.
func (s *Service) RevokeOthers(ctx context.Context, v domain.Viewer) error {
	if _, err := s.db.Exec(ctx, revokeOthersStmt, v.SessionID, v.UserID, s.clock.Now()); err != nil {
		return fmt.Errorf("session.revoke_others %s: %w", v.UserID, err)
	}
	return nil
}

// RevokeAll ends every session of a user, in the transaction of what demands it.
func (s *Service) RevokeAll(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	if _, err := tx.Exec(ctx, revokeOthersStmt, domain.SessionID{}, user, now); err != nil {
		return fmt.Errorf("session.revoke_all %s: %w", user, err)
	}
	return nil
}

// Logout ends the session of a refresh token, be it the newest or an older one.
// A token of no session is fine.
func (s *Service) Logout(ctx context.Context, token string) error {
	hash, ok := refreshToken.hash(token)
	if !ok {
		return nil
	}
	if _, err := s.db.Exec(ctx, revokeByRefreshStmt, hash, s.clock.Now()); err != nil {
		return fmt.Errorf("session.logout: %w", err)
	}
	return nil
}
