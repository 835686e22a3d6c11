// Package post is the room of what is said about an event: posts and
// announcements of its organizer, and what others make of them by comments,
// likes and reposts (specification §4.7, contract §5).
package post

import (
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/text"
	"moothall/internal/user"
)

// The kinds of posts.
const (
	Plain        = "post"
	Announcement = "announcement"
)

// Post is what the organizer has written, as one viewer sees it (contract §5).
type Post struct {
	ID                   domain.PostID
	EventID              domain.EventID
	AuthorID             domain.UserID
	Author               *user.Public // nil when the account is deleted
	Kind                 string
	Body                 string
	Likes, Reposts       int64
	Comments             int64 // deleted ones are not counted
	ViewerLiked          bool
	ViewerReposted       bool
	CreatedAt, UpdatedAt time.Time

	seq         int64 // place among the posts of the event
	lastComment int64 // place of the latest comment
}

// Comment is one node of a thread, as one viewer sees it (contract §5). Deleted
// ones and those across a block have no author and no body.
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

	seq   int64 // place among the comments of the post
	depth int64 // 1 at the top level
}

// Thread is a post with its first comments, oldest first.
type Thread struct {
	Post     Post
	Comments []Comment
	Next     *string // cursor of the comments that follow, nil when there are none
}

// Threads are posts of one event, newest first.
type Threads struct {
	EventID domain.EventID
	Items   []Thread
	Next    *string // cursor of the older ones, nil when there are none
}

// The greatest lengths of bodies, in graphemes.
const (
	longestPost    = 5000
	longestComment = 2000
)

// deepest is the level at which replies to replies stop nesting.
const deepest = 8

// bodyOf cleans a body (contract §0) and refuses one that cannot be.
func bodyOf(s string, longest int) (string, error) {
	clean, err := text.Block(1, longest)(s)
	if err != nil {
		return "", domain.Invalid("/body", err.Error())
	}
	return clean, nil
}

// mayPost: the organizer, and not to a draft.
func mayPost(f access.EventFacts) error {
	if !f.Organizer {
		return domain.Forbidden
	}
	return mayAnswer(f)
}

// mayAnswer says whether somebody who sees the event may comment and like.
func mayAnswer(f access.EventFacts) error {
	if f.Status == access.Draft {
		return domain.Forbidden
	}
	return nil
}

// mayRepost keeps what is said at private events among those who see them.
func mayRepost(f access.EventFacts) error {
	if f.Visibility == access.Private {
		return domain.Forbidden
	}
	return mayAnswer(f)
}

// under gives the parent and the depth of a reply to a comment: below the
// deepest level it stands beside what it answers.
func under(c Comment) (parent *domain.CommentID, depth int64) {
	if c.depth < deepest {
		return &c.ID, c.depth + 1
	}
	return c.ParentID, c.depth
}
