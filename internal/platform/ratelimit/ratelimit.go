// Package ratelimit limits how often a caller may do something: N operations at
// once, then one more every Window/N (GCRA). The state is in this process, or in
// PostgreSQL, where all instances count together.
package ratelimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Limit is one rate limit (contract §11).
type Limit struct {
	Name    string // in response headers and in the setting RATE_LIMITS
	What    string // the limited operations, for docs/settings.md
	Default Quota
	Per     Scope // what it counts, if it limits an operation
	Open    bool  // fails open: allows operations when the store does not answer
}

// Scope is what a limit of an operation counts the requests of.
type Scope int

// The scopes.
const (
	PerCaller      Scope = iota // the user, or the Address of an anonymous client
	PerNetwork                  // the Network of the client
	PerWideNetwork              // the WideNetwork of the client
)

// Quota is N operations at once, then one more every Window/N.
type Quota struct {
	N      int
	Window time.Duration
}

const (
	maxN      = 1_000_000
	maxWindow = 31 * 24 * time.Hour
)

var errQuota = errors.New("must be a number of times per duration like 5/10m, at most 1000000 and from 1s to 744h")

// ParseQuota parses a quota like "5/10m".
func ParseQuota(text string) (Quota, error) {
	number, window, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > maxN {
		return Quota{}, errQuota
	}
	d, err := time.ParseDuration(window)
	if err != nil || d < time.Second || d > maxWindow {
		return Quota{}, errQuota
	}
	return Quota{n, d}, nil
}

// String formats the quota for ParseQuota.
func (q Quota) String() string { return fmt.Sprintf("%d/%s", q.N, ShortDuration(q.Window)) }

// ShortDuration formats a duration without the zeros of Duration.String: 15m, not 15m0s.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, unit := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, unit) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// step is the time after which one more operation is allowed, in the precision of
// the stores.
func (q Quota) step() time.Duration {
	return (q.Window / time.Duration(q.N)).Truncate(time.Microsecond)
}

// cost is the time for which n operations use the quota.
func (q Quota) cost(n int) time.Duration { return q.step() * time.Duration(n) }

// full is the time after which the whole quota is available again.
func (q Quota) full() time.Duration { return q.cost(q.N) }

// Options configure Limits.
type Options struct {
	DB     *db.DB // on PostgreSQL it stores the state for all instances; may be nil
	Clock  domain.Clock
	Key    []byte           // HMAC key for Key values; the same on all instances
	Quotas map[string]Quota // by the name of the limit, where they differ from the default
	Log    *slog.Logger
}

// Limits count operations. A nil *Limits allows every operation.
type Limits struct {
	store  Store
	clock  domain.Clock
	key    []byte
	quotas map[string]Quota
	log    *slog.Logger

	refused *prometheus.CounterVec // by rule
}

// New returns limits with the state in memory, or in a PostgreSQL database.
func New(o Options) *Limits {
	l := &Limits{store: NewMemory(), clock: o.Clock, key: o.Key, quotas: o.Quotas, log: o.Log, refused: newRefused()}
	if o.DB != nil && o.DB.Engine() == db.PostgreSQL {
		l.store = NewTable(o.DB)
	}
	return l
}

// storeTimeout limits how long a decision may take.
const storeTimeout = 2 * time.Second

// Spend counts one operation of key under a limit. It returns a *Refused when the
// quota is used up. When the store does not answer, Open limits allow the operation;
// other limits return domain.ServiceUnavailable.
func (l *Limits) Spend(ctx context.Context, limit Limit, key string) error {
	_, err := l.Take(ctx, limit, key)
	return err
}

// Take is Spend and also returns the remaining quota: the zero Left when nothing was
// counted.
func (l *Limits) Take(ctx context.Context, limit Limit, key string) (Left, error) {
	return l.take(ctx, limit, key, 1)
}

// SpendN counts n operations of key together, or none of them. It refuses more than the quota
// for ever: n must not exceed Quota(limit).N.
func (l *Limits) SpendN(ctx context.Context, limit Limit, key string, n int) error {
	_, err := l.take(ctx, limit, key, n)
	return err
}

func (l *Limits) take(ctx context.Context, limit Limit, key string, n int) (Left, error) {
	if l == nil {
		return Left{}, nil
	}
	q, now := l.Quota(limit), l.clock.Now()
	waiting, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	free, ok, err := l.store.Take(waiting, l.storedKey(limit, key), q, n, now)
	switch {
	case err != nil && limit.Open && ctx.Err() == nil:
		l.log.WarnContext(ctx, "rate limit not applied", slog.String("rule", limit.Name), slog.String("error", err.Error()))
		return Left{}, nil
	case err != nil:
		return Left{}, fmt.Errorf("%w: %w", domain.ServiceUnavailable, err)
	}
	left := q.left(free.Sub(now))
	left.Limit = limit.Name
	if !ok {
		l.refused.WithLabelValues(limit.Name).Inc()
		left.Next = free.Sub(now) + q.cost(n) - q.full()
		return left, &Refused{left}
	}
	return left, nil
}

// Count is one operation of a key under a limit.
type Count struct {
	Limit Limit
	Key   string
}

// TakeAll takes each count, or none of them: if limits refuse, it returns the refusal with
// the longest wait. It always returns what each limit has left, before any refund.
func (l *Limits) TakeAll(ctx context.Context, counts ...Count) ([]Left, error) {
	all := make([]Left, len(counts))
	var taken []Count
	var errs []error
	for i, c := range counts {
		left, err := l.Take(ctx, c.Limit, c.Key)
		all[i] = left
		if err != nil {
			errs = append(errs, err)
		} else if left.Limit != "" {
			taken = append(taken, c)
		}
	}
	err := Longest(errs...)
	if err != nil {
		l.RefundAll(ctx, taken...)
	}
	return all, err
}

// RefundAll refunds each count.
func (l *Limits) RefundAll(ctx context.Context, counts ...Count) {
	for _, c := range counts {
		l.Refund(ctx, c.Limit, c.Key)
	}
}

// Longest returns the first error that is not a refusal, else the refusal with the longest
// wait, else nil.
func Longest(errs ...error) error {
	var longest error
	var wait time.Duration
	for _, err := range errs {
		var refused *Refused
		switch {
		case err == nil:
		case !errors.As(err, &refused):
			return err
		case longest == nil || refused.Next > wait:
			longest, wait = err, refused.Next
		}
	}
	return longest
}

// Refund undoes a Spend, for operations that count only when they fail. They
// spend first, so that concurrent operations cannot exceed the quota. It also works for a
// request that has ended. If the store does not answer, the operation stays counted.
func (l *Limits) Refund(ctx context.Context, limit Limit, key string) {
	l.RefundN(ctx, limit, key, 1)
}

// RefundN undoes a SpendN, as Refund does.
func (l *Limits) RefundN(ctx context.Context, limit Limit, key string, n int) {
	if l == nil {
		return
	}
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	if err := l.store.Refund(waiting, l.storedKey(limit, key), l.Quota(limit), n); err != nil {
		l.log.WarnContext(ctx, "rate limit not given back", slog.String("rule", limit.Name), slog.String("error", err.Error()))
	}
}

// Quota returns the quota of a limit in the settings, else its default.
func (l *Limits) Quota(limit Limit) Quota {
	if l != nil {
		if q, set := l.quotas[limit.Name]; set {
			return q
		}
	}
	return limit.Default
}

// Key identifies what is counted under a limit. It is an HMAC: addresses, phone numbers
// and e-mail addresses must not be stored, and a plain hash of them can be guessed.
type Key [16]byte

func (l *Limits) storedKey(limit Limit, key string) Key {
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte("rate limit\x00" + limit.Name + "\x00" + key)) // the prefix separates other uses of l.key
	return Key(mac.Sum(nil)[:len(Key{})])
}

// Purge removes keys whose whole quota is available again, and returns their
// number. A periodic job calls it; concurrent calls are harmless.
func (l *Limits) Purge(ctx context.Context) (int64, error) {
	if l == nil {
		return 0, nil
	}
	return l.store.Purge(ctx, l.clock.Now())
}

// Address returns the key of a client's address. IPv6 addresses count by /64,
// because one customer has a whole /64.
func Address(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		a = netip.PrefixFrom(a, 64).Masked().Addr()
	}
	return a.String()
}

// Network returns the key of a client's network: IPv4 /24, IPv6 /48.
func Network(a netip.Addr) string { return network(a, 48) }

// WideNetwork returns the key of the network of a client's provider: IPv6 /32. Providers of
// IPv4 have many small networks, so it is the Network.
func WideNetwork(a netip.Addr) string { return network(a, 32) }

func network(a netip.Addr, bits6 int) string {
	a = a.Unmap().WithZone("")
	bits := 24
	if a.Is6() {
		bits = bits6
	}
	prefix, _ := a.Prefix(bits) // an unknown address has the zero prefix
	return prefix.String()
}

// Left is the remaining quota after a decision.
type Left struct {
	Limit string // its name
	Quota Quota
	N     int           // operations that are allowed now
	Next  time.Duration // until one more is allowed; after a refusal: all that were refused
}

// left returns the remaining quota when the whole quota is available after busy.
func (q Quota) left(busy time.Duration) Left {
	unused := max(0, q.full()-busy)
	return Left{Quota: q, N: int(unused / q.step()), Next: q.step() - unused%q.step()}
}

// RateLimit is the value of the RateLimit header (draft-ietf-httpapi-ratelimit-headers):
// the operations left, and the seconds until one more is allowed.
func (l Left) RateLimit() string { return fmt.Sprintf("%q;r=%d;t=%d", l.Limit, l.N, l.Seconds()) }

// Policy is the value of the RateLimit-Policy header.
func (l Left) Policy() string {
	return fmt.Sprintf("%q;q=%d;w=%d", l.Limit, l.Quota.N, seconds(l.Quota.Window))
}

// Seconds is Next in whole seconds, at least 1, for Retry-After.
func (l Left) Seconds() int { return max(1, seconds(l.Next)) }

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Refused is a refusal by a limit. It is a domain.RateLimited.
type Refused struct{ Left }

// RetryIn returns a domain.RateLimited that no limit caused: the caller may try
// again after the wait.
func RetryIn(wait time.Duration) error { return &Refused{Left{Next: wait}} }

// Error names the limit, never the key.
func (r *Refused) Error() string { return domain.RateLimited.Code + ": " + r.Limit }

// Unwrap makes it a domain.RateLimited.
func (r *Refused) Unwrap() error { return domain.RateLimited }
