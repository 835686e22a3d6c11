package post

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// DeletePost deletes the viewer's own post with everything that hangs on it. Repeated, it changes
// nothing. For others a deleted post is domain.NotFound.
func (s *Service) DeletePost(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		f, err := load(ctx, tx, v, target{event: event, post: &id}, now)
		if err != nil {
			return err
		}
		switch own := f.postAuthor != nil && *f.postAuthor == v.UserID; {
		case f.postAuthor == nil, f.deletedAt != nil && !own:
			return domain.NotFound
		case !own:
			return domain.Forbid(domain.NotAuthor)
		}
		return remove(ctx, tx, id, f.HasWebhook, now)
	})
}

// Hide deletes a post for a moderator. It does nothing if the post is deleted already.
func Hide(ctx context.Context, tx db.Tx, id domain.PostID, now time.Time) error {
	return remove(ctx, tx, id, true, now)
}

// remove deletes the text of a post. Its comments, likes and reposts are not shown from then on. It
// retracts the notifications of the post, unless they were read. Notifications of a post to more than
// notify.MaxRows users stay with those who have received them, without the text.
func remove(ctx context.Context, tx db.Tx, id domain.PostID, hasWebhook bool, now time.Time) error {
	p := Post{ID: id}
	deleted, err := tx.One(ctx, deletePostStmt, id, now).Find(&p.EventID, &p.AuthorID, &p.Kind)
	if err != nil || !deleted {
		return err
	}
	tx.Changed(Posts.Of(p.EventID))
	for _, r := range []reaction{like, repost} {
		notify.Retract(ctx, tx, notify.Notification{To: p.AuthorID, Kind: r.kind, Subject: id.String()})
	}
	gone := webhook.Change{Kind: webhook.PostDeleted, Event: p.EventID, Data: map[string]any{"post_id": id}}
	if err := webhook.Put(ctx, tx, now, hasWebhook, gone); err != nil {
		return err
	}
	n, audience := p.notification()
	return notify.RetractAnnounced(ctx, tx, n, audience)
}

// HideComment makes a comment a tombstone for a moderator. It does nothing if the comment is deleted
// already.
func HideComment(ctx context.Context, tx db.Tx, id domain.CommentID, now time.Time) error {
	c := Comment{ID: id}
	deleted, err := tx.One(ctx, hideCommentStmt, id, now).Find(&c.PostID, &c.AuthorID, &c.ParentID, &c.EventID)
	if err == nil && deleted {
		c.retract(ctx, tx)
	}
	return err
}

var hideCommentStmt = db.SQL("post.hide_comment", `
	UPDATE comments SET body = '', updated_at = $2, deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL
	RETURNING post_id, author_id, parent_id, (SELECT p.event_id FROM posts p WHERE p.id = comments.post_id)`)

// retract removes what others have of a deleted comment: its place in the count and its notification.
func (c Comment) retract(ctx context.Context, tx db.Tx) {
	tx.Changed(Posts.Of(c.EventID))
	tx.Queue(ctx, uncountCommentsStmt, []domain.PostID{c.PostID})
	notify.Retract(ctx, tx, c.notification())
}
