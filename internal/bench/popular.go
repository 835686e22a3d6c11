package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/relation"
	"moothall/internal/user"
)

const (
	popularEmail  = "popular@bench.example"
	popularDrafts = 64 // more than are ever published
	mostFollowed  = 100_000
)

// drafts makes n drafts of one organizer through the API, of events that begin
// one an hour.
func (c *conn) drafts(token string, n int, first time.Time) ([]draft, error) {
	all := make([]draft, n)
	for i := range all {
		body := fmt.Sprintf(`{"title":"An evening with many","starts_at":%q}`, first.Add(time.Duration(i)*time.Hour).Format(time.RFC3339))
		reply, err := c.ask(request{method: "POST", target: "/events", token: token, body: body})
		if err != nil {
			return nil, err
		}
		id, err := textIn(reply, "id")
		if err != nil {
			return nil, err
		}
		all[i] = draft{id, token}
	}
	return all, nil
}

// popularOrganizer makes the drafts of somebody whom very many follow.
func popularOrganizer(ctx context.Context, address string, l login) ([]draft, error) {
	c, err := dial(ctx, address, patience)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.net.Close() }() // everything was read
	return c.drafts(l.Access, popularDrafts, epoch.AddDate(0, 0, 1))
}

// follow gives a user n followers, who do nothing else.
func follow(ctx context.Context, url, id string, n int) (err error) {
	followed, err := domain.ParseID[domain.UserKind](id)
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, url, db.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	people, follows := make([]user.Imported, n), make([]relation.Follow, n)
	for i := range people {
		name := fmt.Sprintf("follower%d", i)
		email, err := user.ParseEmail(name + "@bench.example")
		if err != nil {
			return err
		}
		people[i] = user.Imported{UserID: domain.NewID[domain.UserKind](epoch), Email: email, DisplayName: name, Username: name, CreatedAt: epoch}
		follows[i] = relation.Follow{Follower: people[i].UserID, Followed: followed, At: epoch}
	}
	if err := user.Import(ctx, d, people); err != nil {
		return err
	}
	return relation.Import(ctx, d, follows)
}

// publishFollowed publishes one of those drafts: all that the request does for
// the followers is to leave a job behind.
func (q *requests) publishFollowed(_, _ int) (r request, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.popular) == 0 {
		return r, false
	}
	d := q.popular[0]
	q.popular = q.popular[1:]
	return d.publish(), true
}
