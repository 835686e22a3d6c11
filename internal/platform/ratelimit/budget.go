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
	reservedShare    = 2  // half is reserved for networks with few operations today
	fewOperations    = 5
)

// TakeShared takes one operation from a daily budget of all users together, and the other
// counts, or nothing. address is the client's. refused is a refusal for another reason, or
// nil. TakeShared returns the counts to give back, or the refusal with the longest wait.
func (l *Limits) TakeShared(ctx context.Context, budget Rule, address netip.Addr, refused error, counts ...Count) ([]Count, error) {
	counts = append([]Count{
		{Rule: l.share(budget, "network", networkShare), Key: Network(address)},
		{Rule: l.share(budget, "wide_network", wideNetworkShare), Key: WideNetwork(address)},
	}, counts...)
	left, limited := l.TakeAll(ctx, counts...)
	taken, exhausted := l.takeBudget(ctx, budget, left[0])
	if limited == nil {
		taken = append(taken, counts...)
	}
	if err := Longest(refused, limited, exhausted); err != nil {
		l.GiveBackAll(ctx, taken...)
		return nil, err
	}
	return taken, nil
}

// takeBudget takes an operation from the common half of a budget. If that is used up, a
// network with few operations takes from the reserved half. network is what the network
// has left of its share.
func (l *Limits) takeBudget(ctx context.Context, budget Rule, network Left) ([]Count, error) {
	reserved := l.share(budget, "reserved", reservedShare)
	common := Rule{Name: budget.Name + "_common", Default: l.Quota(budget)}
	common.Default.N = max(1, common.Default.N-reserved.Default.N)
	count := Count{Rule: common}
	err := l.Spend(ctx, common, "")
	if errors.Is(err, domain.RateLimited) && network.Quota.N-network.N <= fewOperations {
		count.Rule = reserved
		err = l.Spend(ctx, reserved, "")
	}
	if err != nil {
		return nil, err
	}
	return []Count{count}, nil
}

// share returns the limit of a part of a budget.
func (l *Limits) share(budget Rule, name string, share int) Rule {
	q := l.Quota(budget)
	q.N = max(1, q.N/share)
	return Rule{Name: budget.Name + "_" + name, Default: q}
}
