// Package post stores the posts and announcements of organizers about their events, and
// the comments, likes and reposts of other users (specification §4.7, contract §5).
package post

import (
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// Service reads and writes posts. Its methods return domain.NotFound for an event that
// the viewer does not see and for an unknown post or comment. They return
// domain.Forbidden as policy "Doing something" says.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// The kinds of posts.
const (
	Plain        = "post"
	Announcement = "announcement"
)

// Posts is the kind of the entities that show the posts of an event, for caches. Their
// ids are those of the events.
const Posts db.Kind = "posts"

// Post is one post as a viewer sees it.
type Post struct {
	ID                   domain.PostID
	EventID              domain.EventID
	AuthorID             domain.UserID
	Author               *user.Public // nil if the account is deleted
	Kind                 string
	Body                 string
	Likes, Reposts       int64
	Comments             int64 // without deleted comments
	ViewerLiked          bool
	ViewerReposted       bool
	CreatedAt, UpdatedAt time.Time

	seq         int64 // number among the posts of the event, from 1
	first       int64 // seq of the oldest post of the event, in threads
	lastComment int64 // seq of the latest comment; 0 if there is none
}

// Comment is one comment as a viewer sees it. It has no author and no body if it is
// deleted, or if its author and the viewer have a block.
type Comment struct {
	ID                   domain.CommentID
	EventID              domain.EventID
	PostID               domain.PostID
	AuthorID             domain.UserID
	Author               *user.Public
	ParentID             *domain.CommentID
	Body                 string
	CreatedAt, UpdatedAt time.Time
	DeletedAt            *time.Time

	seq   int64 // number among the comments of the post, from 1
	depth int64 // 1 at the top level
}

// Thread is a post with its first comments, oldest first.
type Thread struct {
	Post     Post
	Comments []Comment
}

// The limits of contract §5.
const (
	maxPostBody    = 5000 // graphemes
	maxCommentBody = 2000 // graphemes
	maxDepth       = 8    // of a comment
)

// cleanBody cleans the body of a post or comment (contract §0).
func cleanBody(s string, max int) (string, error) {
	clean, err := text.Block(1, max)(s)
	if err != nil {
		return "", domain.Invalid("/body", err.Error())
	}
	return clean, nil
}

// mayPost allows the organizer of an event that is not a draft.
func mayPost(f access.EventFacts) error {
	if err := f.MustHost(); err != nil {
		return err
	}
	return mayRespond(f)
}

// mayRespond allows every user who sees the event to comment and like, unless it is a
// draft.
func mayRespond(f access.EventFacts) error {
	return f.Status.MustBe(access.NotDraft...)
}

// mayRepost also excludes private events: a repost would show their posts to
// people who do not see the event.
func mayRepost(f access.EventFacts) error {
	if f.Visibility != access.Public {
		return domain.Forbid(domain.EventPrivate)
	}
	return mayRespond(f)
}

// nest returns the parent and the depth of a reply to a comment. A reply to a
// comment at maxDepth becomes its sibling.
func nest(c Comment) (parent *domain.CommentID, depth int64) {
	if c.depth < maxDepth {
		return &c.ID, c.depth + 1
	}
	return c.ParentID, c.depth
}
