package post

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Service is what people do with posts. Its methods give meet refusals:
// domain.NotFound for an event that the viewer does not see and for a post or
// comment that is not there, domain.Forbidden as policy "Doing something" says.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Write adds a post of the event's organizer and tells the people who come.
// kind is Plain or Announcement.
func (s *Service) Write(ctx context.Context, v domain.Viewer, event domain.EventID, kind, body string) (p Post, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, event, now)
		if err != nil {
			return err
		}
		clean, err := bodyOf(body, longestPost)
		if err != nil {
			return err
		}
		if err := mayPost(facts); err != nil {
			return err
		}
		p = Post{ID: domain.NewID[domain.PostKind](now), EventID: event, AuthorID: v.UserID, Kind: kind, Body: clean, CreatedAt: now, UpdatedAt: now}
		if err := insertPost(ctx, tx, p); err != nil {
			return err
		}
		if p.Author, err = authorOf(ctx, tx, v, v.UserID); err != nil {
			return err
		}
		return tellPost(ctx, tx, p)
	})
	return p, err
}

// Reply is what somebody says about a post.
type Reply struct {
	Body   string
	Parent *domain.CommentID // the comment that is answered; nil at the top level
}

// Comment adds a comment of anybody who sees the event and tells whom it
// answers. The parent may be deleted, but must be of the same post.
func (s *Service) Comment(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, r Reply) (c Comment, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, event, now)
		if err != nil {
			return err
		}
		clean, err := bodyOf(r.Body, longestComment)
		if err != nil {
			return err
		}
		if err := mayAnswer(facts); err != nil {
			return err
		}
		c, err = comment(ctx, tx, now, Comment{
			ID: domain.NewID[domain.CommentKind](now), EventID: event, PostID: id, AuthorID: v.UserID, ParentID: r.Parent, Body: clean, depth: 1,
		})
		if err != nil {
			return err
		}
		c.Author, err = authorOf(ctx, tx, v, v.UserID)
		return err
	})
	return c, err
}

// comment stores a new comment, ParentID being what it answers.
func comment(ctx context.Context, tx db.Tx, now time.Time, c Comment) (Comment, error) {
	var answered *Comment
	if c.ParentID != nil {
		parent, err := findComment(ctx, tx, c.EventID, c.PostID, *c.ParentID)
		if err != nil {
			return c, err
		}
		answered = &parent
		c.ParentID, c.depth = under(parent)
	}
	author, err := insertComment(ctx, tx, &c, now)
	if err != nil {
		return c, err
	}
	if answered == nil {
		return c, c.tell(ctx, tx, author)
	}
	if answered.DeletedAt != nil {
		return c, nil
	}
	return c, c.tell(ctx, tx, answered.AuthorID)
}

// Edit changes the body of the viewer's own comment; domain.NotFound when it is deleted.
func (s *Service) Edit(ctx context.Context, v domain.Viewer, event domain.EventID, post domain.PostID, id domain.CommentID, body string) (c Comment, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := access.Event(ctx, tx, v, event, now); err != nil {
			return err
		}
		clean, err := bodyOf(body, longestComment)
		if err != nil {
			return err
		}
		if c, err = ownComment(ctx, tx, v, event, post, id); err != nil {
			return err
		}
		c.Body, c.UpdatedAt = clean, now
		if err := updateComment(ctx, tx, c); err != nil {
			return err
		}
		c.Author, err = authorOf(ctx, tx, v, v.UserID)
		return err
	})
	return c, err
}

// Delete leaves a tombstone of the viewer's own comment and takes back what
// was told of it; repeated it does nothing.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, event domain.EventID, post domain.PostID, id domain.CommentID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := access.Event(ctx, tx, v, event, now); err != nil {
			return err
		}
		c, err := ownComment(ctx, tx, v, event, post, id)
		if err != nil {
			return err
		}
		deleted, err := deleteComment(ctx, tx, c, now)
		if err != nil || !deleted {
			return err
		}
		return c.takeBack(ctx, tx)
	})
}

// ownComment reads a comment of the viewer's; others are refused.
func ownComment(ctx context.Context, tx db.Tx, v domain.Viewer, event domain.EventID, post domain.PostID, id domain.CommentID) (Comment, error) {
	c, err := findComment(ctx, tx, event, post, id)
	if err == nil && c.AuthorID != v.UserID {
		return Comment{}, domain.Forbidden
	}
	return c, err
}

// authorOf gives the profile of one author, nil when the viewer sees none.
func authorOf(ctx context.Context, q db.Querier, v domain.Viewer, id domain.UserID) (*user.Public, error) {
	found, err := authors(ctx, q, v, []domain.UserID{id})
	return found[id], err
}
