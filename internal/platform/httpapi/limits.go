package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"moothall/internal/platform/ratelimit"
)

// limitOf is the rule of each operation that has one of its own (contract §11).
// It counts per user where the operation needs a session, else per client
// address. Rules that count by what is in the body stand in the rooms.
var limitOf = map[string]ratelimit.Rule{
	"startDevSignIn":     ratelimit.DevStartPerAddress,
	"verifyDevSignIn":    ratelimit.DevVerifyPerAddress,
	"startPhoneCall":     ratelimit.PhoneStartPerAddress,
	"startIdpSignIn":     ratelimit.IdpPerAddress,
	"signInWithIdpToken": ratelimit.IdpPerAddress,
	"proxyImage":         ratelimit.ImagesPerAddress,
	"sendChatMessage":    ratelimit.MessagesPerUser,
	"createPostComment":  ratelimit.CommentsPerUser,
	"createEventPost":    ratelimit.PostsPerUserHour,
	"createEvent":        ratelimit.EventsPerUserDay,
	"createReport":       ratelimit.ReportsPerUserDay,
	"followUser":         ratelimit.FollowsPerUserDay,
	"inviteToEvent":      ratelimit.InvitationsPerUser,
}

// limitsOf gives the rules of an operation; all changes that users make also
// count together.
func limitsOf(o *operation, method string) []ratelimit.Rule {
	var rules []ratelimit.Rule
	if o.auth == authSession && method != http.MethodGet {
		rules = append(rules, ratelimit.WritesPerUser)
	}
	if own, ok := limitOf[o.id]; ok {
		rules = append(rules, own)
	}
	return rules
}

// spend takes the operation from what its caller may do, and tells them what
// is left.
func (s *Server) spend(ctx context.Context, ex *exchange) error {
	if len(ex.op.limits) == 0 {
		return nil
	}
	by := ratelimit.Address(ex.client.Address)
	if ex.viewer.SignedIn() {
		by = ex.viewer.UserID.String()
	}
	for _, rule := range ex.op.limits {
		left, err := s.limits.Take(ctx, rule, by)
		if err != nil {
			return err
		}
		if left.Rule != "" {
			ex.header.Add("RateLimit", left.RateLimit())
			ex.header.Add("RateLimit-Policy", left.Policy())
		}
	}
	return nil
}

// tellLimit writes the headers of a refusal with 429: the rule that was met,
// and when to come back.
func tellLimit(h http.Header, err error) {
	var refused *ratelimit.Refused
	if !errors.As(err, &refused) {
		setDefault(h, "Retry-After", strconv.Itoa(retryAfter))
		return
	}
	h.Set("Retry-After", strconv.Itoa(refused.Seconds()))
	h.Del("RateLimit")
	h.Del("RateLimit-Policy")
	if refused.Rule != "" {
		h.Set("RateLimit", refused.RateLimit())
		h.Set("RateLimit-Policy", refused.Policy())
	}
}

func setDefault(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}
