// Package notify writes notifications in the transaction of what they tell
// about, and tells them when they are read: in the reader's language, with what
// the reader may then see (contract §8).
//
// Nobody is told about their own doing, and nothing goes from one to another
// of a blocked pair or to a suspended account. There is one row per recipient,
// kind, subject and actor (likes and reposts of a post: one for all actors). A
// repeat renews the row: unread, on top, with the newest parameters. Only what
// can be undone and done again at will (a like, a join, a follow) stays as it
// is for 24 hours once it was read. Names and titles are never stored in a row:
// whoever is blocked, suspended, deleted or incognito by then is "Somebody", and
// a hidden event is "an event".
package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Notification is something to be told.
type Notification struct {
	To      domain.UserID // for Put; an Audience stands in its place
	Kind    Kind
	Subject string            // id of what it is about (see the kinds); the event's when empty
	Actor   domain.UserID     // who did it; zero is nobody
	Event   domain.EventID    // zero is none
	Params  map[string]string // for the title, rendered when it is read: no names or titles, they may change
}

// Put tells one recipient.
func Put(ctx context.Context, tx db.Tx, now time.Time, n Notification) error {
	n = n.complete()
	args, err := n.row(now)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, putStmt, append(args, n.To)...); err != nil {
		return fmt.Errorf("notify.put %s: %w", n.Kind, err)
	}
	return nil
}

// Announce tells everybody of an audience, soon: it queues one job, which
// writes the rows in chunks after the commit. Announcing the same again begins
// anew with the newest parameters.
func Announce(ctx context.Context, tx db.Tx, now time.Time, n Notification, to Audience) error {
	n = n.complete()
	if _, known := rules[n.Kind]; !known {
		return fmt.Errorf("notify.announce: unknown kind %q", n.Kind)
	}
	wanted, err := to.worthwhile(ctx, tx)
	if err != nil || !wanted {
		return err
	}
	return job.Put(ctx, tx, now, n.job(now, to))
}

// job is the one that tells an audience.
func (n Notification) job(now time.Time, to Audience) job.Job {
	return job.Job{
		Kind: expandKind, Key: n.id().String(),
		Payload: announcement{Notification: n, At: now, Audience: to.kind, Of: to.of},
	}
}

// Retract removes what was announced or put from everybody who has not read
// it, and stops an announcement under way.
func Retract(ctx context.Context, tx db.Tx, kind Kind, actor domain.UserID, subject string) error {
	id := Notification{Kind: kind, Actor: actor, Subject: subject}.id()
	// First the job: once it is gone nothing is added behind this statement.
	if err := job.Cancel(ctx, tx, expandKind, id.String()); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, takeBackStmt, id); err != nil {
		return fmt.Errorf("notify.take_back %s: %w", kind, err)
	}
	return nil
}

// OnBlock removes what two users have caused each other to be told and have not
// read, as one of them blocks the other. Rows that others share stay: whoever
// reads them is shown nobody they are parted from.
func OnBlock(ctx context.Context, tx db.Tx, one, other domain.UserID) error {
	for to, by := range map[domain.UserID]domain.UserID{one: other, other: one} {
		if _, err := tx.Exec(ctx, partStmt, to, by); err != nil {
			return fmt.Errorf("notify.part: %w", err)
		}
	}
	return nil
}

func (n Notification) complete() Notification {
	if n.Subject == "" && !n.Event.IsZero() {
		n.Subject = n.Event.String()
	}
	return n
}

// quiet is how long a toggled notification stays as it is after it was read.
const quiet = 24 * time.Hour

// row gives the parameters $1 to $8 of the statements that write.
func (n Notification) row(now time.Time) ([]any, error) {
	rule, known := rules[n.Kind]
	if !known {
		return nil, fmt.Errorf("notify: unknown kind %q", n.Kind)
	}
	if n.Params == nil {
		n.Params = map[string]string{}
	}
	params, err := json.Marshal(n.Params)
	if err != nil {
		return nil, fmt.Errorf("notify %s: %w", n.Kind, err)
	}
	renewedUpTo := now
	if rule.toggled {
		renewedUpTo = now.Add(-quiet)
	}
	return []any{n.id(), n.Kind, n.Subject, orNull(n.Actor), orNull(n.Event), string(params), now, renewedUpTo}, nil
}

func orNull[K any](id domain.ID[K]) *domain.ID[K] {
	if id.IsZero() {
		return nil
	}
	return &id
}
