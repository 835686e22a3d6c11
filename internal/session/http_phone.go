package session

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/user"
)

// StartPhoneCall is POST /auth/phone/call/start.
func (h *Handler) StartPhoneCall(ctx context.Context, req *gen.StartPhoneCallRequest) (*gen.PhoneCallChallenge, error) {
	c, err := h.service.StartPhone(ctx, req.Phone, client(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.PhoneCallChallenge{
		ChallengeID: uuid.UUID(c.ID), Status: gen.PhoneCallChallengeStatusPending,
		CallPhone: c.Number, CallPhonePretty: c.Pretty, PhoneMasked: c.Phone.Masked(),
		ExpiresAt: c.ExpiresAt, ExpiresInSeconds: seconds(c.ExpiresIn), PollIntervalSeconds: seconds(pollEvery),
	}, nil
}

// GetPhoneCallStatus is POST /auth/phone/call/status.
func (h *Handler) GetPhoneCallStatus(ctx context.Context, req *gen.PhoneCallStatusRequest) (*gen.PhoneCallStatus, error) {
	poll, err := h.service.PollPhone(ctx, req.ChallengeID, client(ctx))
	if err != nil {
		return nil, err
	}
	switch poll.State {
	case PhonePending:
		return &gen.PhoneCallStatus{Status: gen.PhoneCallStatusStatusPending,
			ExpiresAt: gen.NewOptDateTime(poll.ExpiresAt), RetryAfterSeconds: gen.NewOptInt(seconds(pollEvery))}, nil
	case PhoneExpired:
		return &gen.PhoneCallStatus{Status: gen.PhoneCallStatusStatusExpired, ExpiresAt: gen.NewOptDateTime(poll.ExpiresAt)}, nil
	case PhoneVerified: // below
	}
	in := poll.SignedIn
	h.setCookie(ctx, in.Tokens)
	return &gen.PhoneCallStatus{
		Status: gen.PhoneCallStatusStatusVerified, CurrentUser: gen.NewOptCurrentUser(*user.AccountAPI(in.Account)),
		SessionID: gen.NewOptUUID(uuid.UUID(in.SessionID)), TokenType: gen.NewOptTokenType(gen.TokenTypeBearer),
		AccessToken: gen.NewOptString(in.Access), AccessTokenExpiresAt: gen.NewOptDateTime(in.AccessExpiresAt),
		RefreshToken: gen.NewOptString(in.Refresh), ExpiresAt: gen.NewOptDateTime(in.RefreshExpiresAt),
	}, nil
}
