package post

import (
	"context"
	"fmt"
	"math"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Reposted is one line of a person's repost history.
type Reposted struct {
	Post Post
	At   time.Time
}

const repostsCursor = "reposts.1"

var repostsStmt = db.SQL("post.reposts", `
	SELECT r.created_at, `+postColumns("$1")+`
	FROM reposts r JOIN posts p ON p.id = r.post_id JOIN events e ON e.id = p.event_id
	WHERE r.user_id = $1 AND (r.created_at, r.post_id) < ($2, $3) AND `+access.SeesEvent("e", "$1")+`
	ORDER BY r.created_at DESC, r.post_id DESC LIMIT $4`)

// Reposts gives a page of the viewer's reposts, newest first, from a cursor or,
// when it is empty, from the newest. Posts that are not visible any more are
// left out.
func (s *Service) Reposts(ctx context.Context, v domain.Viewer, limit int, cursor string) (page []Reposted, following *string, err error) {
	at, post := time.UnixMicro(math.MaxInt64), domain.PostID{}
	if cursor != "" {
		if err := domain.ReadCursor(cursor, repostsCursor, &at, &post); err != nil {
			return nil, nil, err
		}
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		scan := func(row db.Row, r *Reposted) error { return row.Scan(append([]any{&r.At}, r.Post.columns()...)...) }
		if page, err = db.All(ctx, q, scan, repostsStmt, v.UserID, at, post, limit+1); err != nil {
			return fmt.Errorf("post.reposts: %w", err)
		}
		var ids []domain.UserID
		for _, r := range page {
			ids = append(ids, r.Post.AuthorID)
		}
		found, err := authors(ctx, q, v, once(ids))
		for i := range page {
			page[i].Post.Author = found[page[i].Post.AuthorID]
		}
		return err
	})
	if len(page) > limit {
		page = page[:limit]
		last := page[limit-1]
		next := domain.Cursor(repostsCursor, last.At, last.Post.ID)
		following = &next
	}
	return page, following, err
}
