package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"moothall/internal/limit"
)

// limitOf is the rule of each operation that has one of its own (contract §11).
// It counts per user where the operation needs a session, else per client
// address. Rules that count by what is in the body stand in the rooms.
var limitOf = map[string]limit.Rule{
	"startDevSignIn":     limit.DevStartPerAddress,
	"verifyDevSignIn":    limit.DevVerifyPerAddress,
	"startPhoneCall":     limit.PhoneStartPerAddress,
	"startIdpSignIn":     limit.IdpPerAddress,
	"signInWithIdpToken": limit.IdpPerAddress,
	"proxyImage":         limit.ImagesPerAddress,
	"sendChatMessage":    limit.MessagesPerUser,
	"createPostComment":  limit.CommentsPerUser,
	"createEventPost":    limit.PostsPerUserHour,
	"createEvent":        limit.EventsPerUserDay,
	"createReport":       limit.ReportsPerUserDay,
	"followUser":         limit.FollowsPerUserDay,
	"inviteToEvent":      limit.InvitationsPerUser,
}

// limitsOf gives the rules of an operation; all changes that users make also
// count together.
func limitsOf(o *operation, method string) []limit.Rule {
	var rules []limit.Rule
	if o.auth == authSession && method != http.MethodGet {
		rules = append(rules, limit.WritesPerUser)
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
	by := limit.Address(ex.client.Address)
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
	var refused *limit.Refused
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
