package ratelimit

import (
	"context"
	"errors"
	"net/netip"

	"moothall/internal/domain"
)

// Shares of a daily budget, so that no network can use it up for the others (contract §11).
const (
	networkShare     = 20 // an IPv4 /24 or IPv6 /48 gets at most a twentieth
	wideNetworkShare = 5  // an IPv6 /32 gets at most a fifth
	fewOperations    = 5  // of a network today, which may use a part that is closed to others
)

// parts are the parts of a daily budget: one for everybody, one for networks with few
// operations, and one for known clients and accounts, which unknown clients cannot use up.
type parts struct{ common, few, known int }

func partsOf(budget int) parts {
	known := budget / 2
	few := (budget - known) / 2
	return parts{budget - known - few, few, known}
}

// TakeShared takes one operation from a daily budget of all users together, and the other
// counts, or nothing. address is the client's; known says whether the client has signed in
// before. refused is a refusal for another reason, or nil. TakeShared returns the counts to
// refund, or the refusal with the longest wait.
func (l *Limits) TakeShared(ctx context.Context, budget Limit, address netip.Addr, known bool, refused error,
	counts ...Count) ([]Count, error) {
	taken, network, limited := l.TakeShares(ctx, budget, address, counts...)
	part, exhausted := l.TakeBudget(ctx, budget, network, known)
	if exhausted == nil {
		taken = append(taken, part)
	}
	if err := Longest(refused, limited, exhausted); err != nil {
		l.RefundAll(ctx, taken...)
		return nil, err
	}
	return taken, nil
}

// TakeShares takes one operation from the shares of a budget that the networks of a client
// have, and the other counts, or nothing. It returns the counts to refund, and what the
// network has left.
func (l *Limits) TakeShares(ctx context.Context, budget Limit, address netip.Addr,
	counts ...Count) (taken []Count, network Left, err error) {
	n := l.Quota(budget).N
	counts = append([]Count{
		{Limit: l.part(budget, "network", max(1, n/networkShare)), Key: Network(address)},
		{Limit: l.part(budget, "wide_network", max(1, n/wideNetworkShare)), Key: WideNetwork(address)},
	}, counts...)
	left, err := l.TakeAll(ctx, counts...)
	if err != nil {
		counts = nil
	}
	return counts, left[0], err
}

// TakeBudget takes an operation from the common part of a budget. If that is used up, a
// network with few operations takes from the part for such networks, and a known client from
// the part for known ones. network is what the network has left of its share.
func (l *Limits) TakeBudget(ctx context.Context, budget Limit, network Left, known bool) (Count, error) {
	n := partsOf(l.Quota(budget).N)
	count := Count{Limit: l.part(budget, "common", n.common)}
	err := l.Spend(ctx, count.Limit, "")
	if n.few > 0 && network.Quota.N-network.N <= fewOperations && errors.Is(err, domain.RateLimited) {
		count.Limit = l.part(budget, "few", n.few)
		err = l.Spend(ctx, count.Limit, "")
	}
	if known && errors.Is(err, domain.RateLimited) {
		return l.TakeKnown(ctx, budget)
	}
	return count, err
}

// TakeKnown takes an operation from the part of a budget for known clients and accounts.
func (l *Limits) TakeKnown(ctx context.Context, budget Limit) (Count, error) {
	count := Count{Limit: l.part(budget, "known", max(1, partsOf(l.Quota(budget).N).known))}
	return count, l.Spend(ctx, count.Limit, "")
}

// part returns the limit of a part of a budget.
func (l *Limits) part(budget Limit, name string, n int) Limit {
	return Limit{Name: budget.Name + "_" + name, Default: Quota{n, l.Quota(budget).Window}}
}
