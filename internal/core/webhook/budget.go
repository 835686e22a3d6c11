package webhook

import (
	"context"
	"errors"
	"net/url"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/ratelimit"
)

// The limits of the messages that are sent, whatever causes them. Messages beyond them wait.
var (
	MessagesPerUserDay = ratelimit.Limit{
		Name: "webhook_messages_per_user_day", What: "webhook messages of one user; further ones wait",
		Default: ratelimit.Quota{N: 10_000, Window: 24 * time.Hour}, Open: true,
	}
	MessagesPerUser = ratelimit.Limit{
		Name: "webhook_messages_per_user", What: "webhook messages of one user at a time; further ones wait",
		Default: ratelimit.Quota{N: 20, Window: time.Second}, Open: true,
	}
	MessagesPerHost = ratelimit.Limit{
		Name: "webhook_messages_per_host", What: "webhook messages to one host, of all users together; further ones wait",
		Default: ratelimit.Quota{N: 10, Window: time.Second},
	}
	// ReplaysPerUserDay counts the messages of replays when they are requested.
	ReplaysPerUserDay = ratelimit.Limit{
		Name: "webhook_replays_per_user_day", What: "webhook messages that one user requests again",
		Default: ratelimit.Quota{N: 1_000, Window: 24 * time.Hour}, Open: true,
	}
)

// allowed counts up to n messages of a user to a host. If the limits allow fewer, wait is the time
// until they allow one more.
func allowed(ctx context.Context, limits *ratelimit.Limits, user domain.UserID, host string,
	n int) (count int, wait time.Duration, err error) {
	for ; count < n; count++ {
		_, err := limits.TakeAll(ctx,
			ratelimit.Count{Limit: MessagesPerHost, Key: host},
			ratelimit.Count{Limit: MessagesPerUser, Key: user.String()},
			ratelimit.Count{Limit: MessagesPerUserDay, Key: user.String()})
		if refused, ok := errors.AsType[*ratelimit.Refused](err); ok {
			return count, refused.Next, nil
		}
		if err != nil {
			return count, 0, err
		}
	}
	return count, 0, nil
}

// hostOf returns the host of a URL, with its port if it has one.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return address
}
