package post

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// postColumns are what a viewer, named by a parameter, sees of the row p.
func postColumns(viewer string) string {
	return `p.id, p.event_id, p.author_id, p.kind, p.body, p.like_count, p.repost_count, p.comment_count, p.created_at, p.updated_at,
		p.seq, p.last_comment,
		EXISTS (SELECT 1 FROM post_likes k WHERE k.user_id = ` + viewer + ` AND k.post_id = p.id),
		EXISTS (SELECT 1 FROM reposts k WHERE k.user_id = ` + viewer + ` AND k.post_id = p.id)`
}

func (p *Post) columns() []any {
	return []any{&p.ID, &p.EventID, &p.AuthorID, &p.Kind, &p.Body, &p.Likes, &p.Reposts, &p.Comments, &p.CreatedAt, &p.UpdatedAt,
		&p.seq, &p.lastComment, &p.ViewerLiked, &p.ViewerReposted}
}

const commentColumns = `c.post_id, c.seq, c.id, c.author_id, c.parent_id, c.depth, c.body, c.created_at, c.updated_at, c.deleted_at`

func (c *Comment) columns() []any {
	return []any{&c.PostID, &c.seq, &c.ID, &c.AuthorID, &c.ParentID, &c.depth, &c.Body, &c.CreatedAt, &c.UpdatedAt, &c.DeletedAt}
}

// turnStmt has the posts of one event written one after the other.
var turnStmt = db.SQL("post.turn", `SELECT 1 FROM events WHERE id = $1 FOR NO KEY UPDATE`)

var insertPostStmt = db.SQL("post.insert_post", `
	INSERT INTO posts (id, event_id, seq, author_id, kind, body, like_count, repost_count, comment_count, last_comment, commented_at, created_at, updated_at)
	VALUES ($1, $2, (SELECT COALESCE(MAX(b.seq), 0) + 1 FROM posts b WHERE b.event_id = $2), $3, $4, $5, 0, 0, 0, 0, $6, $6, $6)`)

func insertPost(ctx context.Context, tx db.Tx, p Post) error {
	if _, err := tx.Exec(ctx, turnStmt, p.EventID); err != nil {
		return fmt.Errorf("post.turn %s: %w", p.EventID, err)
	}
	if _, err := tx.Exec(ctx, insertPostStmt, p.ID, p.EventID, p.AuthorID, p.Kind, p.Body, p.CreatedAt); err != nil {
		return fmt.Errorf("post.insert_post %s: %w", p.EventID, err)
	}
	return nil
}

// numberStmt gives a comment its place and its moment, which is later than
// that of the comment before, whatever the clocks say.
var numberStmt = db.SQL("post.number_comment", `
	UPDATE posts SET last_comment = last_comment + 1, comment_count = comment_count + 1,
		commented_at = CASE WHEN commented_at < $3 THEN $3 ELSE commented_at + 1 END
	WHERE event_id = $1 AND id = $2
	RETURNING last_comment, commented_at, author_id`)

var insertCommentStmt = db.SQL("post.insert_comment", `
	INSERT INTO comments (post_id, seq, id, author_id, parent_id, depth, body, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`)

// insertComment stores a comment, fills in its place and times, and gives the
// author of its post; domain.NotFound when the event has no such post.
func insertComment(ctx context.Context, tx db.Tx, c *Comment, now time.Time) (author domain.UserID, err error) {
	err = tx.One(ctx, numberStmt, c.EventID, c.PostID, now).Scan(&c.seq, &c.CreatedAt, &author)
	if errors.Is(err, db.ErrNoRow) {
		return author, domain.NotFound
	}
	if err != nil {
		return author, fmt.Errorf("post.number_comment %s: %w", c.PostID, err)
	}
	c.UpdatedAt = c.CreatedAt
	if _, err := tx.Exec(ctx, insertCommentStmt, c.PostID, c.seq, c.ID, c.AuthorID, c.ParentID, c.depth, c.Body, c.CreatedAt); err != nil {
		return author, fmt.Errorf("post.insert_comment %s: %w", c.PostID, err)
	}
	return author, nil
}

var findPostStmt = db.SQL("post.find_post", `SELECT `+postColumns("$3")+` FROM posts p WHERE p.event_id = $1 AND p.id = $2`)

// findPost reads a post of an event as a viewer sees it; domain.NotFound when there is none.
func findPost(ctx context.Context, q db.Querier, v domain.Viewer, event domain.EventID, id domain.PostID) (p Post, err error) {
	err = q.One(ctx, findPostStmt, event, id, v.UserID).Scan(p.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return p, domain.NotFound
	}
	if err != nil {
		return p, fmt.Errorf("post.find_post %s: %w", id, err)
	}
	return p, nil
}

var findCommentStmt = db.SQL("post.find_comment", `
	SELECT `+commentColumns+` FROM comments c JOIN posts p ON p.id = c.post_id
	WHERE c.id = $3 AND c.post_id = $2 AND p.event_id = $1`)

// findComment reads a comment of a post of an event; domain.NotFound when there is none.
func findComment(ctx context.Context, q db.Querier, event domain.EventID, post domain.PostID, id domain.CommentID) (Comment, error) {
	c := Comment{EventID: event}
	err := q.One(ctx, findCommentStmt, event, post, id).Scan(c.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return Comment{}, domain.NotFound
	}
	if err != nil {
		return Comment{}, fmt.Errorf("post.find_comment %s: %w", id, err)
	}
	return c, nil
}

var updateCommentStmt = db.SQL("post.update_comment", `
	UPDATE comments SET body = $3, updated_at = $4 WHERE post_id = $1 AND seq = $2 AND deleted_at IS NULL`)

// updateComment stores another body; domain.NotFound when the comment is deleted.
func updateComment(ctx context.Context, tx db.Tx, c Comment) error {
	n, err := tx.Exec(ctx, updateCommentStmt, c.PostID, c.seq, c.Body, c.UpdatedAt)
	if err != nil {
		return fmt.Errorf("post.update_comment %s: %w", c.ID, err)
	}
	if n == 0 {
		return domain.NotFound
	}
	return nil
}

var deleteCommentStmt = db.SQL("post.delete_comment", `
	UPDATE comments SET body = '', updated_at = $3, deleted_at = $3 WHERE post_id = $1 AND seq = $2 AND deleted_at IS NULL`)

// uncountStmt takes comments off the counts of their posts, as often as a post is named.
var uncountStmt = db.SQL("post.uncount_comments", uncount("comment_count"))

func uncount(counter string) string {
	return `
		UPDATE posts SET ` + counter + ` = ` + counter + ` - gone.n
		FROM (SELECT l.value AS id, COUNT(*) AS n FROM ids($1) AS l GROUP BY l.value) AS gone
		WHERE posts.id = gone.id`
}

// deleteComment makes a tombstone; deleted is false when it was one already.
func deleteComment(ctx context.Context, tx db.Tx, c Comment, now time.Time) (deleted bool, err error) {
	n, err := tx.Exec(ctx, deleteCommentStmt, c.PostID, c.seq, now)
	if err != nil {
		return false, fmt.Errorf("post.delete_comment %s: %w", c.ID, err)
	}
	if n == 0 {
		return false, nil
	}
	if _, err := tx.Exec(ctx, uncountStmt, []domain.PostID{c.PostID}); err != nil {
		return false, fmt.Errorf("post.uncount_comments %s: %w", c.PostID, err)
	}
	return true, nil
}

var authorsStmt = db.SQL("post.authors", `
	SELECT `+user.Columns("o")+` FROM ids($1) AS l JOIN profiles o ON o.user_id = l.value WHERE `+access.NotBlocked("o.user_id", "$2"))

// authors gives the profiles of those whom the viewer may see, by id: not of
// deleted accounts, nor across a block.
func authors(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.UserID) (map[domain.UserID]*user.Public, error) {
	all, err := db.All(ctx, q, user.Scan, authorsStmt, ids, v.UserID)
	if err != nil {
		return nil, fmt.Errorf("post.authors: %w", err)
	}
	byID := make(map[domain.UserID]*user.Public, len(all))
	for i := range all {
		byID[all[i].UserID] = &all[i]
	}
	return byID, nil
}
