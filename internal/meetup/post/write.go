package post

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
)

// target names the post or comment that a write concerns.
type target struct {
	event   domain.EventID
	post    *domain.PostID    // nil for a new post
	comment *domain.CommentID // nil for a new comment at the top level
}

// facts are the facts that a write depends on.
type facts struct {
	access.EventFacts
	viewer     *user.Public   // the viewer's profile
	postAuthor *domain.UserID // nil if the event has no such post
	deletedAt  *time.Time     // of the post
	comment    *Comment       // nil if the post has no such comment, or is deleted
}

var factsStmt = db.SQL("post.facts", `
	SELECT `+access.FactsSQL("e", "$2", "$3")+`, p.author_id, p.deleted_at, `+commentColumns+`, `+user.Columns("a")+`
	FROM events e
	LEFT JOIN posts p ON p.event_id = e.id AND p.id = $4
	LEFT JOIN comments c ON c.post_id = p.id AND c.id = $5
	LEFT JOIN profiles a ON a.user_id = $2
	WHERE e.id = $1`)

// load loads the facts for a viewer. It returns domain.NotFound if the viewer does not
// see the event.
func load(ctx context.Context, tx db.Tx, v domain.Viewer, t target, now time.Time) (f facts, err error) {
	c := Comment{EventID: t.event}
	var viewer user.ProfileColumns
	more := append(append([]any{&f.postAuthor, &f.deletedAt}, c.optionalDest()...), viewer.Dest()...)
	if err := f.Scan(tx.One(ctx, factsStmt, t.event, v.UserID, now, t.post, t.comment), more...); err != nil {
		return f, err
	}
	if !c.ID.IsZero() && f.deletedAt == nil {
		f.comment = &c
	}
	f.viewer = viewer.Public()
	return f, nil
}

// Write adds a post of the organizer and notifies the participants. An announcement
// also notifies invited users. kind is Plain or Announcement.
func (s *Service) Write(ctx context.Context, v domain.Viewer, event domain.EventID, kind, body string) (p Post, err error) {
	now := s.Clock.Now()
	err = idempotency.InTx(ctx, s.DB, now, &p, func(tx db.Tx) error {
		f, err := load(ctx, tx, v, target{event: event}, now)
		if err != nil {
			return err
		}
		clean, err := cleanBody(body, maxPostBody)
		if err != nil {
			return err
		}
		if err := mayPost(f.EventFacts); err != nil {
			return err
		}
		p = Post{
			ID: domain.NewIDIn[domain.PostKind](ctx, now), EventID: event, AuthorID: v.UserID, Author: f.viewer,
			Kind: kind, Body: clean, CreatedAt: now, UpdatedAt: now,
		}
		tx.Changed(Posts.Of(event))
		tx.Queue(ctx, lockEventStmt, p.EventID)
		tx.Queue(ctx, insertPostStmt, p.ID, p.EventID, p.AuthorID, p.Kind, p.Body, p.CreatedAt)
		created := webhook.Change{Kind: webhook.PostCreated, Event: event, Data: map[string]any{"post_id": p.ID}}
		if err := webhook.Put(ctx, tx, now, f.HasWebhook, created); err != nil {
			return err
		}
		n, audience := p.notification()
		return notify.Announce(ctx, tx, now, n, audience)
	})
	return p, err
}

// notification returns the notification of a post. It goes to the participants and, of an
// announcement, to invited users too (contract §8).
func (p Post) notification() (notify.Notification, notify.Audience) {
	kind, audience := notify.EventPost, notify.Going(p.EventID)
	if p.Kind == Announcement {
		kind, audience = notify.EventAnnouncement, notify.GoingAndInvited(p.EventID)
	}
	return notify.Notification{Kind: kind, Subject: p.ID.String(), Actor: p.AuthorID, Event: p.EventID}, audience
}

// Reply is a new comment.
type Reply struct {
	Body   string
	Parent *domain.CommentID // the comment that it answers; nil at the top level
}

// Comment adds a comment and notifies the author of the post or comment that it
// answers. The parent must be a comment of the same post; it may be deleted.
func (s *Service) Comment(ctx context.Context, v domain.Viewer, event domain.EventID, post domain.PostID, r Reply) (c Comment, err error) {
	now := s.Clock.Now()
	err = idempotency.InTx(ctx, s.DB, now, &c, func(tx db.Tx) error {
		f, err := load(ctx, tx, v, target{event, &post, r.Parent}, now)
		if err != nil {
			return err
		}
		clean, err := cleanBody(r.Body, maxCommentBody)
		if err != nil {
			return err
		}
		if err := mayRespond(f.EventFacts); err != nil {
			return err
		}
		if f.postAuthor == nil || f.deletedAt != nil || r.Parent != nil && f.comment == nil {
			return domain.NotFound
		}
		c = Comment{
			ID: domain.NewIDIn[domain.CommentKind](ctx, now), EventID: event, PostID: post, AuthorID: v.UserID, Author: f.viewer,
			Body: clean, depth: 1,
		}
		answered := *f.postAuthor
		if f.comment != nil {
			c.ParentID, c.depth = nest(*f.comment)
			answered = f.comment.AuthorID
		}
		tx.Changed(Posts.Of(event))
		insertComment(ctx, tx, &c, now)
		created := webhook.Change{Kind: webhook.CommentCreated, Event: event, User: v.UserID,
			Data: map[string]any{"post_id": post, "comment_id": c.ID}}
		if err := webhook.Put(ctx, tx, now, f.HasWebhook, created); err != nil {
			return err
		}
		if f.comment != nil && f.comment.DeletedAt != nil {
			return nil
		}
		n := c.notification()
		n.To = answered
		return notify.Put(ctx, tx, now, n)
	})
	return c, err
}

func (c Comment) notification() notify.Notification {
	n := notify.Notification{Kind: notify.PostCommented, Subject: c.ID.String(), Actor: c.AuthorID, Event: c.EventID}
	if c.ParentID != nil {
		n.Kind = notify.CommentReplied
	}
	return n
}

// Edit changes the body of the viewer's own comment. It returns domain.NotFound if the
// comment is deleted.
func (s *Service) Edit(ctx context.Context, v domain.Viewer, event domain.EventID, post domain.PostID, id domain.CommentID,
	body string) (c Comment, err error) {
	now := s.Clock.Now()
	var update *db.Queued
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		f, err := load(ctx, tx, v, target{event, &post, &id}, now)
		if err != nil {
			return err
		}
		clean, err := cleanBody(body, maxCommentBody)
		if err != nil {
			return err
		}
		if c, err = f.ownComment(v); err != nil {
			return err
		}
		c.Author, c.Body, c.UpdatedAt = f.viewer, clean, now
		tx.Changed(Posts.Of(event))
		update = tx.Queue(ctx, updateCommentStmt, c.PostID, c.seq, c.Body, c.UpdatedAt)
		return nil
	})
	if err == nil && update.Rows() == 0 {
		err = domain.NotFound
	}
	return c, err
}

// Delete makes the viewer's own comment a tombstone and retracts the notification
// of it. Repeated, it changes nothing.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, event domain.EventID, post domain.PostID, id domain.CommentID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		f, err := load(ctx, tx, v, target{event, &post, &id}, now)
		if err != nil {
			return err
		}
		c, err := f.ownComment(v)
		if err != nil {
			return err
		}
		deleted, err := tx.Exec(ctx, deleteCommentStmt, c.PostID, c.seq, now)
		if err != nil || deleted == 0 {
			return err
		}
		c.retract(ctx, tx)
		return nil
	})
}

// ownComment returns the comment, or domain.Forbidden if another user wrote it.
func (f facts) ownComment(v domain.Viewer) (Comment, error) {
	switch {
	case f.comment == nil:
		return Comment{}, domain.NotFound
	case f.comment.AuthorID != v.UserID:
		return Comment{}, domain.Forbid(domain.NotAuthor)
	}
	return *f.comment, nil
}
