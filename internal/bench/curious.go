package bench

import (
	"context"
	"errors"
	"fmt"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/relation"
)

// Some of the people who sign in follow very many others: their feeds are the
// dearest there are.
const (
	curious     = 16
	manyFollows = 500
)

// In the order of the ids: the first are the busiest of a seeded world.
var organizersStmt = db.SQL("bench.organizers", `
	SELECT u.id FROM users u
	WHERE EXISTS (SELECT 1 FROM events e WHERE e.organizer_id = u.id AND e.listed)
	AND u.id <> $1 AND NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = $1 AND f.followed_id = u.id)
	ORDER BY u.id LIMIT $2`)

// followMany has each of the people follow many organizers.
func followMany(ctx context.Context, url string, people []login) (err error) {
	d, err := db.Open(ctx, url, db.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for _, person := range people {
		follower, err := domain.ParseID[domain.UserKind](person.CurrentUser.User.ID)
		if err != nil {
			return err
		}
		scan := func(row db.Row, id *domain.UserID) error { return row.Scan(id) }
		organizers, err := db.All(ctx, d, scan, organizersStmt, follower, manyFollows)
		if err != nil {
			return fmt.Errorf("bench.organizers: %w", err)
		}
		var follows []relation.Follow
		for _, followed := range organizers {
			follows = append(follows, relation.Follow{Follower: follower, Followed: followed, At: epoch.AddDate(0, 0, -1)})
		}
		if err := relation.Import(ctx, d, follows); err != nil {
			return err
		}
	}
	return nil
}

// feed is the feed of one of them.
func (q *requests) feed(_, n int) (request, bool) {
	return request{method: "GET", target: "/feed", token: q.tokens[n%min(curious, len(q.tokens))]}, true
}
