package post

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	readPostStmt = db.SQL("post.read", `SELECT p.event_id, p.author_id, p.body FROM posts p WHERE p.id = $1 AND p.deleted_at IS NULL`)

	readCommentStmt = db.SQL("post.read_comment", `
		SELECT p.event_id, c.author_id, c.body FROM comments c JOIN posts p ON p.id = c.post_id
		WHERE c.id = $1 AND c.deleted_at IS NULL AND p.deleted_at IS NULL AND `+access.NotBlocked("c.author_id", "$2"))
)

// Read returns the author and the text of a post. It returns domain.NotFound if the viewer does not
// see it.
func Read(ctx context.Context, q db.Querier, v domain.Viewer, id domain.PostID, now time.Time) (domain.UserID, string, error) {
	return read(ctx, q, v, now, readPostStmt, id)
}

// ReadComment returns the author and the text of a comment. It returns domain.NotFound if the viewer
// does not see it.
func ReadComment(ctx context.Context, q db.Querier, v domain.Viewer, id domain.CommentID, now time.Time) (domain.UserID, string, error) {
	return read(ctx, q, v, now, readCommentStmt, id, v.UserID)
}

func read(ctx context.Context, q db.Querier, v domain.Viewer, now time.Time, stmt *db.Stmt,
	args ...any) (author domain.UserID, body string, err error) {
	var event domain.EventID
	if err = q.One(ctx, stmt, args...).ScanOr(domain.NotFound, &event, &author, &body); err == nil {
		_, err = access.Event(ctx, q, v, event, now)
	}
	return author, body, err
}
