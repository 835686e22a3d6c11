// Package apikey owns API keys, with which programs act for a user. A key is used like an
// access token, but only for operations of its scopes.
//
// Each request reads its key from the database, so a deletion takes effect on every
// instance at once.
package apikey

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"sync/atomic"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// Service implements the use cases of API keys.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Sessions *session.Service
	Key      []byte // derives the keys; the same on all instances
	Previous []byte // derived the keys before; empty: none

	touches atomic.Int32 // writes of last_used_at in progress
}

const (
	kind      = session.TokenKind("mk_")
	prefixLen = len(kind) + 4
	maxKeys   = 20 // of a user
)

// Key is an API key as its user sees it.
type Key struct {
	ID         domain.APIKeyID `json:"id"`
	Name       string          `json:"name"`
	Prefix     string          `json:"prefix"`
	Scopes     []string        `json:"scopes"`
	CreatedAt  time.Time       `json:"created_at"`
	ExpiresAt  *time.Time      `json:"expires_at"`
	LastUsedAt *time.Time      `json:"last_used_at"`

	Webhooks []webhook.OfKey `json:"-"` // that it has created
}

// created is the stored result of Create. The seed and the service's key give the API key,
// so that a repeated request gets it, too. Neither of them alone does.
type created struct {
	Key
	Seed []byte `json:"seed"`
}

// secret returns the secret of a created key. The prefix shows whether the service's key or its predecessor derived it.
func (s *Service) secret(c created) string {
	if text := derive(s.Key, c.Seed); len(s.Previous) == 0 || strings.HasPrefix(text, c.Prefix) {
		return text
	}
	return derive(s.Previous, c.Seed)
}

func derive(key, seed []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("api key\x00"))
	mac.Write(seed)
	return kind.Of(mac.Sum(nil))
}

// Create creates a key of the viewer and returns its secret.
func (s *Service) Create(ctx context.Context, v domain.Viewer, k Key) (Key, string, error) {
	now := s.Clock.Now()
	if err := k.clean(now); err != nil {
		return Key{}, "", err
	}
	k.ID, k.CreatedAt = domain.NewID[domain.APIKeyKind](now), now
	c := created{Key: k, Seed: make([]byte, 32)}
	_, _ = rand.Read(c.Seed) // never fails
	c.Prefix = derive(s.Key, c.Seed)[:prefixLen]
	err := idempotency.InTx(ctx, s.DB, now, &c, func(tx db.Tx) error {
		var count int
		if err := tx.One(ctx, countStmt, v.UserID).Scan(&count); err != nil {
			return err
		}
		if count >= maxKeys {
			return domain.Forbid(domain.BlockedByState)
		}
		hash, _ := kind.Hash(s.secret(c))
		if _, err := tx.Exec(ctx, insertStmt, c.ID, v.UserID, hash, c.Prefix, c.Name, strings.Join(c.Scopes, " "), c.ExpiresAt, now); err != nil {
			return err
		}
		return notify.Put(ctx, tx, now, notify.Notification{To: v.UserID, Kind: notify.APIKeyAdded, Subject: c.ID.String()})
	})
	return c.Key, s.secret(c), err
}

var nameLine = text.Line(1, 80)

// clean cleans what the user has sent.
func (k *Key) clean(now time.Time) error {
	var wrong domain.Problems
	var err error
	if k.Name, err = nameLine(k.Name); err != nil {
		wrong.Add("/name", err.Error())
	}
	if repeats(k.Scopes) {
		wrong.Add("/scopes", "must not contain a scope twice")
	}
	if k.ExpiresAt != nil && !k.ExpiresAt.After(now) {
		wrong.Add("/expires_at", "must be in the future")
	}
	return wrong.Err()
}

func repeats(scopes []string) bool {
	seen := map[string]bool{}
	for _, scope := range scopes {
		if seen[scope] {
			return true
		}
		seen[scope] = true
	}
	return false
}

// List returns the viewer's keys with their webhooks, the oldest first.
func (s *Service) List(ctx context.Context, v domain.Viewer) ([]Key, error) {
	all, err := list(ctx, s.DB, v.UserID)
	if err != nil {
		return nil, err
	}
	webhooks, err := webhook.OfKeys(ctx, s.DB, v.UserID)
	for i := range all {
		all[i].Webhooks = webhooks[all[i].ID]
	}
	return all, err
}

func list(ctx context.Context, q db.Querier, user domain.UserID) ([]Key, error) {
	return db.All(ctx, q, func(r db.Row, k *Key) error {
		var scopes string
		err := r.Scan(&k.ID, &k.Name, &k.Prefix, &scopes, &k.CreatedAt, &k.ExpiresAt, &k.LastUsedAt)
		k.Scopes = strings.Fields(scopes)
		return err
	}, listStmt, user)
}

// Delete deletes one of the viewer's keys, and on request the webhooks that it has created. A key
// that does not exist is no error.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, id domain.APIKeyID, webhooks bool) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, deleteStmt, id, v.UserID)
		if webhooks {
			webhook.DeleteOfKey(ctx, tx, v.UserID, id)
		}
		return nil
	})
}

// Is reports whether a token is an API key, valid or not.
func Is(token string) bool { return strings.HasPrefix(token, string(kind)) }

// Viewer returns the viewer of a key. It returns domain.Unauthorized if the key is
// malformed, unknown or expired, or if its account is suspended. Nobody is a moderator
// with a key.
func (s *Service) Viewer(ctx context.Context, token string) (domain.Viewer, error) {
	hash, ok := kind.Hash(token)
	if !ok {
		return domain.Viewer{}, domain.Unauthorized
	}
	now := s.Clock.Now()
	v := domain.Viewer{Key: &domain.APIKey{}}
	var scopes string
	var lastUsedAt, wroteAt *time.Time
	err := s.DB.One(ctx, byKeyStmt, hash, now).ScanOr(domain.Unauthorized, &v.Key.ID, &v.UserID, &scopes, &lastUsedAt, &wroteAt)
	if err != nil {
		return domain.Viewer{}, err
	}
	v.Key.Scopes = strings.Fields(scopes)
	v.WroteRecently = s.Sessions.WroteRecently(wroteAt)
	if lastUsedAt == nil || now.Sub(*lastUsedAt) >= session.TouchEvery {
		s.touch(ctx, v.Key.ID, now)
	}
	return v, nil
}

// touch records the last use in the background, so that the request does not wait. If a
// write is in progress or fails, a later request records it.
func (s *Service) touch(ctx context.Context, id domain.APIKeyID, now time.Time) {
	if !s.touches.CompareAndSwap(0, 1) {
		return
	}
	go func() {
		defer s.touches.Store(0)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, _ = s.DB.Exec(ctx, touchStmt, id, now, now.Add(-session.TouchEvery))
	}()
}

// RecordWrite is session.Service.RecordWrite for requests with a key.
func (s *Service) RecordWrite(ctx context.Context, tx db.Tx, v domain.Viewer) {
	if v.Key != nil && tx.Engine() == db.PostgreSQL {
		tx.Queue(ctx, recordWriteStmt, v.Key.ID, s.Sessions.WriteClock.Now())
	}
}

var (
	byKeyStmt = db.SQL("apikey.by_key", `
		SELECT k.id, k.user_id, k.scopes, k.last_used_at, k.wrote_at
		FROM api_keys k JOIN users u ON u.id = k.user_id
		WHERE k.key_hash = $1 AND (k.expires_at IS NULL OR k.expires_at > $2) AND u.suspended_at IS NULL`)

	touchStmt = db.SQL("apikey.touch", `
		UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`)

	recordWriteStmt = db.SQL("apikey.record_write", `UPDATE api_keys SET wrote_at = $2 WHERE id = $1`)

	countStmt = db.SQL("apikey.count", `SELECT COUNT(*) FROM api_keys WHERE user_id = $1`)

	insertStmt = db.SQL("apikey.insert", `
		INSERT INTO api_keys (id, user_id, key_hash, prefix, name, scopes, expires_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`)

	listStmt = db.SQL("apikey.list", `
		SELECT id, name, prefix, scopes, created_at, expires_at, last_used_at FROM api_keys WHERE user_id = $1 ORDER BY created_at, id`)

	deleteStmt = db.SQL("apikey.delete", `DELETE FROM api_keys WHERE id = $1 AND user_id = $2`)
)
