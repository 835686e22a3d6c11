package post

import (
	"context"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported holds the posts, comments, likes and reposts of one user.
type exported struct {
	Posts    []exportedPost     `json:"posts"`
	Comments []exportedComment  `json:"comments"`
	Likes    []exportedReaction `json:"likes"`
	Reposts  []exportedReaction `json:"reposts"`
}

type exportedPost struct {
	ID        domain.PostID  `json:"id"`
	EventID   domain.EventID `json:"event_id"`
	Kind      string         `json:"kind"`
	Body      string         `json:"body"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

type exportedComment struct {
	ID        domain.CommentID  `json:"id"`
	EventID   domain.EventID    `json:"event_id"`
	PostID    domain.PostID     `json:"post_id"`
	ParentID  *domain.CommentID `json:"parent_comment_id"`
	Body      string            `json:"body"`
	CreatedAt time.Time         `json:"created_at"`
	UpdatedAt time.Time         `json:"updated_at"`
	DeletedAt *time.Time        `json:"deleted_at"`
}

type exportedReaction struct {
	PostID    domain.PostID `json:"post_id"`
	CreatedAt time.Time     `json:"created_at"`
}

var (
	exportPostsStmt = db.SQL("post.export_posts", `
		SELECT id, event_id, kind, body, created_at, updated_at FROM posts WHERE author_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`)

	exportCommentsStmt = db.SQL("post.export_comments", `
		SELECT c.id, p.event_id, c.post_id, c.parent_id, c.body, c.created_at, c.updated_at, c.deleted_at
		FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.author_id = $1 ORDER BY c.created_at, c.id`)
)

// Export returns the posts, comments, likes and reposts of a user.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	var all exported
	var err error
	all.Posts, err = db.All(ctx, q, func(row db.Row, p *exportedPost) error {
		return row.Scan(&p.ID, &p.EventID, &p.Kind, &p.Body, &p.CreatedAt, &p.UpdatedAt)
	}, exportPostsStmt, user)
	if err != nil {
		return nil, err
	}
	all.Comments, err = db.All(ctx, q, func(row db.Row, c *exportedComment) error {
		return row.Scan(&c.ID, &c.EventID, &c.PostID, &c.ParentID, &c.Body, &c.CreatedAt, &c.UpdatedAt, &c.DeletedAt)
	}, exportCommentsStmt, user)
	if err != nil {
		return nil, err
	}
	reaction := func(row db.Row, e *exportedReaction) error { return row.Scan(&e.PostID, &e.CreatedAt) }
	if all.Likes, err = db.All(ctx, q, reaction, like.export, user); err != nil {
		return nil, err
	}
	all.Reposts, err = db.All(ctx, q, reaction, repost.export, user)
	return all, err
}

var eraseCommentsStmt = db.SQL("post.erase_comments", `
	UPDATE comments SET body = '', updated_at = $2, deleted_at = $2 WHERE author_id = $1 AND deleted_at IS NULL RETURNING post_id`)

// erasePostsStmt empties the posts of a user in their erased events (package event).
var erasePostsStmt = db.SQL("post.erase_posts", `
	UPDATE posts SET body = '' WHERE author_id = $1 AND body <> ''
		AND event_id IN (SELECT id FROM events WHERE organizer_id = $1 AND published_at IS NULL)`)

// Erase turns a user's comments into tombstones and deletes their likes and reposts.
// Their posts stay with the event, without an author, unless the event is erased.
func Erase(ctx context.Context, tx db.Tx, id domain.UserID, now time.Time) error {
	tx.Changed(Posts.All(), user.Activity.Of(id))
	tx.Queue(ctx, erasePostsStmt, id)
	if err := erase(ctx, tx, eraseCommentsStmt, uncountCommentsStmt, id, now); err != nil {
		return err
	}
	for _, r := range []reaction{like, repost} {
		if err := erase(ctx, tx, r.erase, r.uncount, id); err != nil {
			return err
		}
	}
	return nil
}

// erase runs remove, which returns the posts from which it has deleted rows, and queues
// uncount for them.
func erase(ctx context.Context, tx db.Tx, remove, uncount *db.Stmt, args ...any) error {
	posts, err := db.Values[domain.PostID](ctx, tx, remove, args...)
	if err == nil && len(posts) > 0 {
		tx.Queue(ctx, uncount, posts)
	}
	return err
}
