package webhook

import (
	"context"
	"errors"
	"time"

	"moothall/internal/platform/courier"
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

// Allow implements courier.Target.
func (e *endpoint) Allow(ctx context.Context, n int) (count int, wait time.Duration, err error) {
	host, user := courier.HostOf(e.url), e.user.String()
	for ; count < n; count++ {
		_, err := e.Limits.TakeAll(ctx,
			ratelimit.Count{Limit: MessagesPerHost, Key: host},
			ratelimit.Count{Limit: MessagesPerUser, Key: user},
			ratelimit.Count{Limit: MessagesPerUserDay, Key: user})
		if refused, ok := errors.AsType[*ratelimit.Refused](err); ok {
			return count, refused.Next, nil
		}
		if err != nil {
			return count, 0, err
		}
	}
	return count, 0, nil
}
