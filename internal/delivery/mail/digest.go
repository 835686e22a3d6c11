package mail

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// A digest is a delivery of its own. Its items are deliveries in the state inDigest that have its due time.

// digestKind is the kind of a delivery that is a digest.
const digestKind notify.Kind = "digest"

// maxItems is how many notifications a digest shows.
const maxItems = 50

var (
	digestStmt = db.SQL("mail.digest", `
		INSERT INTO deliveries (`+keyColumns+`, kind, state, due_at, expires_at, attempts)
		VALUES ($1, $2, $3, $4, $5, 'digest', 'waiting', $3, $6, 0) ON CONFLICT (`+keyColumns+`) DO NOTHING`)

	digestItemsStmt = db.SQL("mail.digest_items", `
		SELECT `+keyColumns+`, kind FROM deliveries
		WHERE user_id = $1 AND channel = $2 AND state = 'digest' AND due_at <= $3 AND (about_at, notification_id) > ($4, $5)
		ORDER BY about_at, notification_id LIMIT $6`)

	endDigestStmt = db.SQL("mail.end_digest", `
		UPDATE deliveries SET state = $4, ended_at = $5 WHERE user_id = $1 AND channel = $2 AND state = 'digest' AND due_at <= $3`)
)

// digestOf returns the key of the digest of a user that is due at a time.
func (k key) digestOf(at time.Time) key {
	return key{k.user, domain.NotificationID(k.user), at, k.channel, k.target}
}

// processDigest sends the items of a digest that are still wanted and allowed.
func (s *scheduler) processDigest(ctx context.Context, one delivery, now time.Time) result {
	recipient, m, err := s.readDigest(ctx, one, now)
	switch {
	case err != nil:
		s.Logger.ErrorContext(ctx, "cannot read a digest", "channel", one.channel, "error", err)
		return one.retry("cannot read the digest", now.Add(retryAfter(one.attempts)))
	case len(m.Items) == 0:
		return s.end(ctx, one, skipped, "nothing is left of the digest", now)
	}
	return s.send(ctx, one, recipient, m, now)
}

// readDigest reads the items of a digest in batches.
func (s *scheduler) readDigest(ctx context.Context, one delivery, now time.Time) (recipient candidate, m Message, err error) {
	var last key
	for more := true; more; {
		all, err := one.items(ctx, s.DB, last, maxItems)
		if err != nil || len(all) == 0 {
			return recipient, m, err
		}
		found, err := s.readCandidates(ctx, one.channel, all, now)
		if err != nil {
			return recipient, m, err
		}
		for i, l := range found {
			if l.skip(all[i], now) != "" {
				continue
			}
			if len(m.Items) == maxItems {
				m.More++
				continue
			}
			if a, err := s.admit(ctx, all[i], one.key, l, now); err != nil || a != admitted {
				if err != nil {
					return recipient, m, err
				}
				continue
			}
			recipient, m.Items = l, append(m.Items, *l.item)
		}
		last, more = all[len(all)-1].key, len(all) == maxItems
	}
	return recipient, m, nil
}

// items returns up to n items of a digest that follow an item, the oldest first.
func (d delivery) items(ctx context.Context, q db.Querier, after key, n int) ([]delivery, error) {
	return db.All(ctx, q, func(r db.Row, i *delivery) error { return r.Scan(append(i.dest(), &i.kind)...) },
		digestItemsStmt, d.user, d.channel, d.about, after.about, after.notification, n)
}
