package post

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is everything that the room keeps of one person.
type exported struct {
	Posts    []exportedPost    `json:"posts"`
	Comments []exportedComment `json:"comments"`
	Likes    []exportedMark    `json:"likes"`
	Reposts  []exportedMark    `json:"reposts"`
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

type exportedMark struct {
	PostID    domain.PostID `json:"post_id"`
	CreatedAt time.Time     `json:"created_at"`
}

var ownPostsStmt = db.SQL("post.own_posts", `
	SELECT id, event_id, kind, body, created_at, updated_at FROM posts WHERE author_id = $1 ORDER BY created_at, id`)

var ownCommentsStmt = db.SQL("post.own_comments", `
	SELECT c.id, p.event_id, c.post_id, c.parent_id, c.body, c.created_at, c.updated_at, c.deleted_at
	FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.author_id = $1 ORDER BY c.created_at, c.id`)

// Export gives what a person has posted, commented, liked and reposted.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	var all exported
	var err error
	all.Posts, err = db.All(ctx, q, func(row db.Row, p *exportedPost) error {
		return row.Scan(&p.ID, &p.EventID, &p.Kind, &p.Body, &p.CreatedAt, &p.UpdatedAt)
	}, ownPostsStmt, user)
	if err != nil {
		return nil, fmt.Errorf("post.own_posts: %w", err)
	}
	all.Comments, err = db.All(ctx, q, func(row db.Row, c *exportedComment) error {
		return row.Scan(&c.ID, &c.EventID, &c.PostID, &c.ParentID, &c.Body, &c.CreatedAt, &c.UpdatedAt, &c.DeletedAt)
	}, ownCommentsStmt, user)
	if err != nil {
		return nil, fmt.Errorf("post.own_comments: %w", err)
	}
	if all.Likes, err = like.ofPerson(ctx, q, user); err != nil {
		return nil, err
	}
	all.Reposts, err = repost.ofPerson(ctx, q, user)
	return all, err
}

func (m mark) ofPerson(ctx context.Context, q db.Querier, user domain.UserID) ([]exportedMark, error) {
	scan := func(row db.Row, e *exportedMark) error { return row.Scan(&e.PostID, &e.CreatedAt) }
	all, err := db.All(ctx, q, scan, m.own, user)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.own.Name(), err)
	}
	return all, nil
}

var forgetCommentsStmt = db.SQL("post.forget_comments", `
	UPDATE comments SET body = '', updated_at = $2, deleted_at = $2 WHERE author_id = $1 AND deleted_at IS NULL RETURNING post_id`)

// Erase makes tombstones of a person's comments and removes their likes and
// reposts; the counts stay right. Posts stay with their event, without an author.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	if err := forget(ctx, tx, uncountStmt, forgetCommentsStmt, user, now); err != nil {
		return err
	}
	for _, m := range []mark{like, repost} {
		if err := forget(ctx, tx, m.uncount, m.forget, user); err != nil {
			return err
		}
	}
	return nil
}

// forget runs a statement that gives the posts it took something from, and
// takes that off their counts.
func forget(ctx context.Context, tx db.Tx, uncount, remove *db.Stmt, args ...any) error {
	posts, err := db.All(ctx, tx, func(row db.Row, id *domain.PostID) error { return row.Scan(id) }, remove, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", remove.Name(), err)
	}
	if len(posts) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, uncount, posts); err != nil {
		return fmt.Errorf("%s: %w", uncount.Name(), err)
	}
	return nil
}
