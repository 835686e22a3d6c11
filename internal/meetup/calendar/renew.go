package calendar

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const renewBatch = 100

// RenewSecrets seals the secrets that belong to the predecessor of the service's key with the key, and returns their number.
// The addresses stay the same.
func (s *Service) RenewSecrets(ctx context.Context) (renewed int, err error) {
	if len(s.Feeds.Keys.Previous) == 0 {
		return 0, nil
	}
	type owned struct {
		feedRow
		user domain.UserID
	}
	var after domain.UserID
	for {
		batch, err := db.All(ctx, s.DB, func(r db.Row, o *owned) error { return r.Scan(&o.user, &o.seed, &o.sealed) }, feedsStmt, after,
			renewBatch)
		if err != nil || len(batch) == 0 {
			return renewed, err
		}
		for _, o := range batch {
			n, err := s.renew(ctx, o.user, o.feedRow)
			if err != nil {
				return renewed, err
			}
			renewed += n
		}
		after = batch[len(batch)-1].user
	}
}

// renew changes nothing if the user has opened another feed meanwhile.
func (s *Service) renew(ctx context.Context, user domain.UserID, row feedRow) (int, error) {
	if row.sealed != nil {
		if _, changed, err := s.Feeds.Keys.Renew(purpose, row.sealed); err != nil || !changed {
			return 0, err
		}
	}
	secret, err := s.Feeds.secret(row)
	if err != nil {
		return 0, err
	}
	sealed := s.Feeds.seal(secret)
	n, err := s.DB.Exec(ctx, renewFeedStmt, user, row.seed, sealed.seed, sealed.sealed)
	return int(n), err
}

var (
	feedsStmt     = db.SQL("calendar.feeds", `SELECT user_id, seed, sealed FROM calendar_feeds WHERE user_id > $1 ORDER BY user_id LIMIT $2`)
	renewFeedStmt = db.SQL("calendar.renew_feed", `UPDATE calendar_feeds SET seed = $3, sealed = $4 WHERE user_id = $1 AND seed = $2`)
)
