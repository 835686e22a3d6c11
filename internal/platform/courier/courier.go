// Package courier sends messages to web servers that users chose. A feature, such as package webhook, stores the messages, builds
// their requests and records the results.
//
//   - A target is what gets messages, such as a webhook. Each target is served separately, so a slow server delays only its own messages.
//   - A message is due until its server accepts it. After a failed attempt it is due again later, at most nine times.
//   - A lease (job.Leases) lets one worker of all instances serve a target.
//   - A share is how many targets of one owner or one host an instance serves at the same time.
//   - A result says how an attempt ended.
package courier

import (
	"context"
	"net/http"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Statements find and lease the targets of a feature. Their leases are job.Leases.
type Statements struct {
	IsDue *db.Stmt // whether any message may be due at $1
	// Candidates returns $3 targets that have messages due at $1 and no lease, in the order of service: id, owner, URL, and whether
	// the server accepted the last message. It ignores a lease that ends after $2: the clock of its worker was wrong.
	Candidates *db.Stmt
	// Lease leases, of the targets $5, those that have no lease at $3. $4 is as $2 of Candidates.
	Lease   *db.Stmt
	Release *db.Stmt // no worker leases the target until $3
}

// Target is a target that this worker has leased.
type Target interface {
	// Due returns the n messages that have been due the longest.
	Due(ctx context.Context, now time.Time, n int) ([]Message, error)
	// Allow counts up to n messages against rate limits. If they allow fewer, wait is the time until they allow one more.
	Allow(ctx context.Context, n int) (count int, wait time.Duration, err error)
	// Record stores the results of messages that were sent at the same time. goOn reports whether to send more.
	Record(ctx context.Context, results []Result) (goOn bool, err error)
}

// Message is a message that is due.
type Message struct {
	ID       domain.ID[any]
	Kind     string
	Attempts int    // before this one
	Trace    string // traceparent of the request or job that caused it; empty: none
	Request  func(now time.Time) (*http.Request, error)
	Check    func(response []byte) (failure string) // of the first 512 bytes of a response with a status of 2xx; nil: no check
}

// Result is the result of an attempt.
type Result struct {
	Message
	At      time.Time
	Status  int // 0: no response
	Took    time.Duration
	Failure string // empty: accepted
	Excerpt string // of the response
}

// retries are the pauses after failed attempts.
var retries = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour,
	24 * time.Hour,
}

// Next returns when the message is due again; nil: it was accepted, or this was the last attempt.
func (r Result) Next(now time.Time) *time.Time {
	if r.Failure == "" || r.Attempts >= len(retries) {
		return nil
	}
	return new(now.Add(retries[r.Attempts]))
}
