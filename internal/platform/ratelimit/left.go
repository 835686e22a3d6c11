package ratelimit

import (
	"fmt"
	"time"

	"moothall/internal/domain"
)

// Left is what is left of a quota after a decision.
type Left struct {
	Rule  string // its name
	Quota Quota
	N     int           // operations that may follow at once
	Next  time.Duration // until there is one more
}

// left tells what is left when the whole quota is free again after a while.
func (q Quota) left(busy time.Duration) Left {
	unused := max(0, q.full()-busy)
	return Left{Quota: q, N: int(unused / q.step()), Next: q.step() - unused%q.step()}
}

// RateLimit is the header of that name (draft-ietf-httpapi-ratelimit-headers):
// what is left, and in how many seconds it is one more.
func (l Left) RateLimit() string { return fmt.Sprintf("%q;r=%d;t=%d", l.Rule, l.N, l.Seconds()) }

// Policy is the header RateLimit-Policy.
func (l Left) Policy() string {
	return fmt.Sprintf("%q;q=%d;w=%d", l.Rule, l.Quota.N, seconds(l.Quota.Window))
}

// Seconds is Next in whole seconds, at least 1: Retry-After.
func (l Left) Seconds() int { return max(1, seconds(l.Next)) }

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Refused is the refusal of one operation too many: it is domain.RateLimited.
type Refused struct{ Left }

// RetryIn refuses with domain.RateLimited for a reason that is no rule of this
// package: the same may be tried again after the wait.
func RetryIn(wait time.Duration) error { return &Refused{Left{Next: wait}} }

// Error names the rule, never the key.
func (r *Refused) Error() string { return domain.RateLimited.Code + ": " + r.Rule }

// Unwrap makes it domain.RateLimited.
func (r *Refused) Unwrap() error { return domain.RateLimited }
