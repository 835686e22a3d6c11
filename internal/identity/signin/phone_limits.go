package signin

import (
	"context"

	"moothall/internal/core/user"
	"moothall/internal/platform/ratelimit"
)

// countStart counts a start that asks the provider, under every limit or under none. It
// returns the counts to refund, or the refusal with the longest wait. refused is a
// refusal for another reason, or nil.
func (s *Service) countStart(ctx context.Context, phone user.Phone, r PhoneStart, refused error) ([]ratelimit.Count, error) {
	key, known, err := s.phoneKey(ctx, phone, r)
	if err != nil {
		return nil, err
	}
	return s.Limits.TakeShared(ctx, PhoneStartsPerDay, r.Address, known, refused,
		ratelimit.Count{Limit: PhoneStartPerPhone, Key: key}, ratelimit.Count{Limit: PhoneStartPerPhoneDay, Key: key})
}

// phoneKey is what the limits of a phone count by. Other clients can use up the limits of
// a phone, but not those of a client that has signed in with it: these count by account.
// known reports whether the client has.
func (s *Service) phoneKey(ctx context.Context, phone user.Phone, r PhoneStart) (key string, known bool, err error) {
	owner, found, err := s.Sessions.Owner(ctx, r.AccessToken, r.RefreshToken)
	if err != nil || !found || owner.Phone == nil || *owner.Phone != string(phone) {
		return string(phone), false, err
	}
	return "account " + owner.ID.String(), true, nil
}
