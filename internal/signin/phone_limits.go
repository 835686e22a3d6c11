package signin

import (
	"context"
	"errors"

	"moothall/internal/domain"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/user"
)

// Shares of the daily budget PhoneStartsPerDay, so that no network can use it up for the
// others (contract §11).
const (
	networkShare     = 20 // an IPv4 /24 or IPv6 /48 gets at most a twentieth
	wideNetworkShare = 5  // an IPv6 /32 gets at most a fifth
	reservedShare    = 2  // half is reserved for networks with few starts today
	fewStarts        = 5
)

// countStart counts a start that asks the provider, under every limit or under none. It
// returns the counts to give back, or the refusal with the longest wait. refused is a
// refusal for another reason, or nil.
func (s *Service) countStart(ctx context.Context, phone user.Phone, r PhoneStart, refused error) ([]ratelimit.Count, error) {
	key, err := s.phoneKey(ctx, phone, r)
	if err != nil {
		return nil, err
	}
	counts := []ratelimit.Count{
		{Rule: s.budgetShare("network", networkShare), Key: ratelimit.Network(r.Address)},
		{Rule: s.budgetShare("wide_network", wideNetworkShare), Key: ratelimit.WideNetwork(r.Address)},
		{Rule: PhoneStartPerPhone, Key: key},
		{Rule: PhoneStartPerPhoneDay, Key: key},
	}
	left, limited := s.Limits.TakeAll(ctx, counts...)
	budget, exhausted := s.takeBudget(ctx, left[0])
	if limited == nil {
		budget = append(budget, counts...)
	}
	if err := ratelimit.Longest(refused, limited, exhausted); err != nil {
		return nil, errors.Join(err, s.Limits.GiveBackAll(ctx, budget...))
	}
	return budget, nil
}

// phoneKey is what the limits of a phone count by. Strangers can use up the limits of a
// phone, but not those of a client that has signed in with it: these count by account.
func (s *Service) phoneKey(ctx context.Context, phone user.Phone, r PhoneStart) (string, error) {
	owner, err := s.Sessions.UserOfPhone(ctx, string(phone), r.AccessToken, r.RefreshToken)
	if err != nil || owner == (domain.UserID{}) {
		return string(phone), err
	}
	return "account " + owner.String(), nil
}

// takeBudget takes a start from the common half of the daily budget. If that is used up,
// a network with few starts takes from the reserved half. network is what the network has
// left of its share.
func (s *Service) takeBudget(ctx context.Context, network ratelimit.Left) ([]ratelimit.Count, error) {
	reserved := s.budgetShare("reserved", reservedShare)
	common := ratelimit.Rule{Name: PhoneStartsPerDay.Name + "_common", Default: s.Limits.Quota(PhoneStartsPerDay)}
	common.Default.N = max(1, common.Default.N-reserved.Default.N)
	count := ratelimit.Count{Rule: common}
	err := s.Limits.Spend(ctx, common, "")
	if errors.Is(err, domain.RateLimited) && network.Quota.N-network.N <= fewStarts {
		count.Rule = reserved
		err = s.Limits.Spend(ctx, reserved, "")
	}
	if err != nil {
		return nil, err
	}
	return []ratelimit.Count{count}, nil
}

// budgetShare returns the limit of a part of the daily budget.
func (s *Service) budgetShare(name string, share int) ratelimit.Rule {
	q := s.Limits.Quota(PhoneStartsPerDay)
	q.N = max(1, q.N/share)
	return ratelimit.Rule{Name: PhoneStartsPerDay.Name + "_" + name, Default: q}
}
