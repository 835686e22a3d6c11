// Package ratelimit decides how often somebody may do something: N operations at
// once, then one more every window/N (GCRA). One rule is one row of contract
// §11. The state stands in this process, or in PostgreSQL when several
// instances must count together.
package ratelimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Options are what limits need from their surroundings.
type Options struct {
	DB     *db.DB // on PostgreSQL it holds the state, for all instances; may be nil
	Clock  domain.Clock
	Key    []byte           // hides what is counted; the same on all instances
	Quotas map[string]Quota // by rule name, where they differ from the default
	Log    *slog.Logger
}

// Limits counts. A nil *Limits lets everything through.
type Limits struct {
	store  Store
	clock  domain.Clock
	key    []byte
	quotas map[string]Quota
	log    *slog.Logger
}

// New makes the limits of a service.
func New(o Options) *Limits {
	l := &Limits{store: NewMemory(), clock: o.Clock, key: o.Key, quotas: o.Quotas, log: o.Log}
	if o.DB != nil && o.DB.Engine() == db.PostgreSQL {
		l.store = NewTable(o.DB)
	}
	return l
}

// patience bounds how long a decision may take.
const patience = 2 * time.Second

// Spend takes one operation from what key may do under a rule. The error is a
// *Refused when nothing is left. When the store does not answer, rules that are
// Open let the operation through, the others give domain.ServiceUnavailable.
func (l *Limits) Spend(ctx context.Context, r Rule, key string) error {
	_, err := l.Take(ctx, r, key)
	return err
}

// Take is Spend that also tells what is left; the zero Left when nothing was
// counted.
func (l *Limits) Take(ctx context.Context, r Rule, key string) (Left, error) {
	if l == nil {
		return Left{}, nil
	}
	q, now := l.quota(r), l.clock.Now()
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	free, ok, err := l.store.Take(waiting, l.hidden(r, key), q, now)
	switch {
	case err != nil && r.Open && ctx.Err() == nil:
		l.log.WarnContext(ctx, "limits do not count", slog.String("rule", r.Name), slog.String("error", err.Error()))
		return Left{}, nil
	case err != nil:
		return Left{}, fmt.Errorf("ratelimit.take %s: %w: %w", r.Name, domain.ServiceUnavailable, err)
	}
	left := q.left(free.Sub(now))
	left.Rule = r.Name
	if !ok {
		return left, &Refused{left}
	}
	return left, nil
}

// GiveBack undoes a Spend: for what only counts when it fails, and must be
// taken beforehand so that no crowd gets more of it.
func (l *Limits) GiveBack(ctx context.Context, r Rule, key string) error {
	if l == nil {
		return nil
	}
	if err := l.store.GiveBack(ctx, l.hidden(r, key), l.quota(r)); err != nil {
		return fmt.Errorf("ratelimit.give_back %s: %w", r.Name, err)
	}
	return nil
}

func (l *Limits) quota(r Rule) Quota {
	if q, set := l.quotas[r.Name]; set {
		return q
	}
	return r.Default
}

// Key names what is counted under a rule, without saying what it is.
type Key [16]byte

// hidden makes the key that is stored: addresses, phones and e-mail addresses
// stand nowhere in the open, nor as a hash that could be guessed.
func (l *Limits) hidden(r Rule, key string) Key {
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte("rate limit\x00" + r.Name + "\x00" + key)) // the key serves other purposes too
	return Key(mac.Sum(nil)[:len(Key{})])
}

// Purge forgets what no longer limits anybody and gives its number. It is for
// a periodic job; several at once do no harm.
func (l *Limits) Purge(ctx context.Context) (int64, error) {
	if l == nil {
		return 0, nil
	}
	return l.store.Purge(ctx, l.clock.Now())
}

// Address is the key of a client's address: IPv6 by /64, since one customer
// has as many addresses as that, IPv4 also where it is mapped into IPv6.
func Address(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		a = netip.PrefixFrom(a, 64).Masked().Addr()
	}
	return a.String()
}
