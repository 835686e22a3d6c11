package domain

import (
	"slices"
	"time"
)

// Viewer is the caller of a request. The zero Viewer is anonymous.
type Viewer struct {
	UserID    UserID
	SessionID SessionID // none if Key is set
	Key       *APIKey   // with which the request was sent; nil: a session
	// WroteRecently means that the viewer has made a change which this instance may not
	// know yet: it reads from the database, not from caches.
	WroteRecently bool

	Moderator bool // on the moderation allowlist (specification §5.7)
}

// APIKey is a key with which a program acts for a user.
type APIKey struct {
	ID     APIKeyID
	Scopes []string
}

// Allows reports whether the key has a scope. No key has the scope "".
func (k *APIKey) Allows(scope string) bool { return scope != "" && slices.Contains(k.Scopes, scope) }

// SignedIn reports whether the viewer has a session or an API key.
func (v Viewer) SignedIn() bool { return !v.UserID.IsZero() }

// Clock returns the current time. Rules take the time as an argument, services use a
// Clock, and tests set it.
type Clock func() time.Time

// Now returns the current time in UTC, truncated to microseconds as the database stores
// it.
func (c Clock) Now() time.Time { return c().UTC().Truncate(time.Microsecond) }

// SystemClock is the machine's clock.
func SystemClock() Clock { return time.Now }
