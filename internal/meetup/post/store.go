package post

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// postColumns lists the columns of the posts row p. viewer is the parameter of the
// viewer's id.
func postColumns(viewer string) string {
	return `p.id, p.event_id, p.author_id, p.kind, p.body, p.like_count, p.repost_count, p.comment_count, p.created_at, p.updated_at,
		p.seq, p.last_comment,
		EXISTS (SELECT 1 FROM post_likes k WHERE k.user_id = ` + viewer + ` AND k.post_id = p.id),
		EXISTS (SELECT 1 FROM reposts k WHERE k.user_id = ` + viewer + ` AND k.post_id = p.id)`
}

func (p *Post) dest() []any {
	return []any{&p.ID, &p.EventID, &p.AuthorID, &p.Kind, &p.Body, &p.Likes, &p.Reposts, &p.Comments, &p.CreatedAt, &p.UpdatedAt,
		&p.seq, &p.lastComment, &p.ViewerLiked, &p.ViewerReposted}
}

const commentColumns = `c.post_id, c.seq, c.id, c.author_id, c.parent_id, c.depth, c.body, c.created_at, c.updated_at, c.deleted_at`

func (c *Comment) dest() []any {
	return []any{&c.PostID, &c.seq, &c.ID, &c.AuthorID, &c.ParentID, &c.depth, &c.Body, &c.CreatedAt, &c.UpdatedAt, &c.DeletedAt}
}

// optionalDest is dest for an outer join: all columns are NULL if there is no comment.
func (c *Comment) optionalDest() []any {
	return []any{db.OrZero(&c.PostID), db.OrZero(&c.seq), db.OrZero(&c.ID), db.OrZero(&c.AuthorID), &c.ParentID, db.OrZero(&c.depth),
		db.OrZero(&c.Body), db.OrZero(&c.CreatedAt), db.OrZero(&c.UpdatedAt), &c.DeletedAt}
}

var (
	// lockEventStmt serializes new posts of an event: the next one waits for the commit.
	lockEventStmt = db.SQL("post.lock_event", `SELECT 1 FROM events WHERE id = $1 FOR NO KEY UPDATE`)

	deletePostStmt = db.SQL("post.delete_post", `
		UPDATE posts SET body = '', updated_at = $2, deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING event_id, author_id, kind`)

	insertPostStmt = db.SQL("post.insert_post", `
		INSERT INTO posts (id, event_id, seq, author_id, kind, body, like_count, repost_count, comment_count, last_comment, commented_at,
			created_at, updated_at)
		VALUES ($1, $2, (SELECT COALESCE(MAX(b.seq), 0) + 1 FROM posts b WHERE b.event_id = $2), $3, $4, $5, 0, 0, 0, 0, $6, $6, $6)`)

	// numberCommentStmt sets the number and the time of the next comment. The time is
	// later than that of the previous comment, even if a clock is behind.
	numberCommentStmt = db.SQL("post.number_comment", `
		UPDATE posts SET last_comment = last_comment + 1, comment_count = comment_count + 1,
			commented_at = CASE WHEN commented_at < $3 THEN $3 ELSE commented_at + 1 END
		WHERE event_id = $1 AND id = $2`)

	// insertCommentStmt writes a comment with the number and time of numberCommentStmt.
	insertCommentStmt = db.SQL("post.insert_comment", `
		INSERT INTO comments (post_id, seq, id, author_id, parent_id, depth, body, created_at, updated_at)
		SELECT p.id, p.last_comment, CAST($2 AS UUID), CAST($3 AS UUID), CAST($4 AS UUID), CAST($5 AS BIGINT), CAST($6 AS TEXT), p.commented_at,
			p.commented_at
		FROM posts p WHERE p.id = $1
		RETURNING seq, created_at, updated_at`)

	updateCommentStmt = db.SQL("post.update_comment", `
		UPDATE comments SET body = $3, updated_at = $4 WHERE post_id = $1 AND seq = $2 AND deleted_at IS NULL`)

	deleteCommentStmt = db.SQL("post.delete_comment", `
		UPDATE comments SET body = '', updated_at = $3, deleted_at = $3 WHERE post_id = $1 AND seq = $2 AND deleted_at IS NULL`)

	uncountCommentsStmt = db.SQL("post.uncount_comments", uncountSQL("comment_count"))
)

// uncountSQL subtracts from a counter of the posts $1, once for each time that the
// list names a post.
func uncountSQL(counter string) string {
	return `
		UPDATE posts SET ` + counter + ` = ` + counter + ` - gone.n
		FROM (SELECT l.value AS id, COUNT(*) AS n FROM ids($1) AS l GROUP BY l.value) AS gone
		WHERE posts.id = gone.id`
}

// insertComment queues a comment. Its number and times are in c after the commit.
func insertComment(ctx context.Context, tx db.Tx, c *Comment, now time.Time) {
	tx.Queue(ctx, numberCommentStmt, c.EventID, c.PostID, now)
	tx.Queue(ctx, insertCommentStmt, c.PostID, c.ID, c.AuthorID, c.ParentID, c.depth, c.Body).Into(&c.seq, &c.CreatedAt, &c.UpdatedAt)
}

var findPostStmt = db.SQL("post.find_post", `SELECT `+postColumns("$3")+` FROM posts p
	WHERE p.event_id = $1 AND p.id = $2 AND p.deleted_at IS NULL`)

// findPost reads a post of an event. It returns domain.NotFound if there is none.
func findPost(ctx context.Context, q db.Querier, v domain.Viewer, event domain.EventID, id domain.PostID) (p Post, err error) {
	err = q.One(ctx, findPostStmt, event, id, v.UserID).ScanOr(domain.NotFound, p.dest()...)
	return p, err
}

var authorsStmt = db.SQL("post.authors", `
	SELECT `+user.Columns("o")+` FROM ids($1) AS l JOIN profiles o ON o.user_id = l.value WHERE `+access.NotBlocked("o.user_id", "$2"))

// authors returns the profiles of users by id. It leaves out deleted accounts, and
// users who have a block with the viewer.
func authors(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.UserID) (map[domain.UserID]*user.Public, error) {
	all, err := db.All(ctx, q, user.Scan, authorsStmt, ids, v.UserID)
	if err != nil {
		return nil, err
	}
	byID := make(map[domain.UserID]*user.Public, len(all))
	for i := range all {
		byID[all[i].UserID] = &all[i]
	}
	return byID, nil
}
