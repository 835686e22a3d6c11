// Package domain is the vocabulary that every room shares: ids, refusals, who is
// asking, and what time it is. It needs the standard library only.
package domain

import "time"

// Viewer is who is asking. The zero Viewer is anonymous.
type Viewer struct {
	UserID    UserID
	SessionID SessionID
	Moderator bool // on the moderation allowlist (specification §5.7)
}

// SignedIn reports whether the viewer has a session.
func (v Viewer) SignedIn() bool { return !v.UserID.IsZero() }

// Clock tells the time; rules take the time as an argument, services ask a
// Clock, tests set it.
type Clock func() time.Time

// Now is the moment, in UTC and to the microsecond, the precision that is stored.
func (c Clock) Now() time.Time { return c().UTC().Truncate(time.Microsecond) }

// SystemClock is the machine's clock.
func SystemClock() Clock { return time.Now }
