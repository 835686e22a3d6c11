package view

import (
	"maps"
	"net/url"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
)

// PostsData is what the page of an event shows of its posts.
type PostsData struct {
	Event     gen.EventDetailsCore
	Threads   []Thread
	More      string // address of the older posts; "" if there are none
	Continues bool   // the list begins after the newest posts
}

// Thread is a post with its first comments.
type Thread struct {
	Post     gen.EventPost
	Comments []Comment
	More     string // cursor of the other comments; "" if there are none
}

// Comment is a comment with its replies.
type Comment struct {
	*gen.EventPostComment
	Replies []Comment
}

// CommentsData is what the page with the comments of a post shows.
type CommentsData struct {
	Event    gen.EventDetailsCore
	PostID   uuid.UUID
	Comments []Comment
	More     string // address of the next comments; "" if there are none
}

// NewThread returns a post with its comments as a tree.
func NewThread(t gen.EventPostThread) Thread {
	return Thread{Post: t.Post, Comments: NewComments(t.Comments), More: t.CommentsNextCursor.Value}
}

// NewComments returns comments, the oldest first, as a tree. A reply to a comment that is not
// among them has no parent. Deleted comments without replies are omitted.
func NewComments(list []gen.EventPostComment) []Comment {
	known := make(map[uuid.UUID]bool, len(list))
	replies := map[uuid.UUID][]*gen.EventPostComment{}
	for i := range list {
		c := &list[i]
		parent := uuid.Nil
		if known[c.ParentCommentID.Value] {
			parent = c.ParentCommentID.Value
		}
		known[c.ID] = true
		replies[parent] = append(replies[parent], c)
	}
	return repliesTo(uuid.Nil, replies)
}

func repliesTo(parent uuid.UUID, replies map[uuid.UUID][]*gen.EventPostComment) (tree []Comment) {
	for _, c := range replies[parent] {
		below := repliesTo(c.ID, replies)
		if c.DeletedAt.Null || len(below) > 0 {
			tree = append(tree, Comment{c, below})
		}
	}
	return tree
}

// maxOpenComments is the number of comments up to which a thread is unfolded.
const maxOpenComments = 20

// open reports whether the comments of a thread are unfolded.
func (t *Thread) open(p *Page) bool {
	return t.Post.CommentCount <= maxOpenComments || p.asks("answer", t.Post.ID) || anyAsked(p, t.Comments)
}

func anyAsked(p *Page, comments []Comment) bool {
	for _, c := range comments {
		if p.asks("answer", c.ID) || p.asks("edit", c.ID) || anyAsked(p, c.Replies) {
			return true
		}
	}
	return false
}

// PostsURL is the address of the page of an event that begins at its posts. It names no element, so that the browser
// may go to a post or a comment.
func PostsURL(event uuid.UUID) string { return EventURL(event) + "?show=posts" }

// Writes reports whether the page shows the form for a comment. Then it shows no other form for a text.
func (p *Page) Writes() bool {
	return p.Query.Has("answer") || p.Query.Has("edit")
}

// asks reports whether a parameter of the page has an id as its value.
func (p *Page) asks(parameter string, id uuid.UUID) bool {
	return p.Query.Has(parameter) && p.Query.Get(parameter) == id.String()
}

// asking returns the address of the page with a parameter that opens a form for an id.
func (p *Page) asking(parameter string, id uuid.UUID) templ.SafeURL {
	query := maps.Clone(p.Query)
	for _, other := range []string{"answer", "edit", "show"} {
		query.Del(other)
	}
	query.Set(parameter, id.String())
	return templ.SafeURL((&url.URL{Path: p.URL.Path, RawQuery: query.Encode()}).String())
}

// takesPosts reports whether users may post, comment, like and repost.
func takesPosts(e *gen.EventDetailsCore) bool { return e.Status != gen.EventStatusDraft }

// takesReposts reports whether posts can be reposted: everybody who gets a repost can see the event.
func takesReposts(e *gen.EventDetailsCore) bool {
	return takesPosts(e) && e.Visibility == gen.EventVisibilityPublic
}

// replaced returns the id of the text that replaces a comment, or "".
func (c Comment) replaced() string {
	switch {
	case !c.DeletedAt.Null:
		return "posts.deleted"
	case c.Body == "":
		return "posts.hidden"
	}
	return ""
}

// likeAction is what the button for likes does.
func likeAction(p *gen.EventPost) string {
	if p.ViewerLiked {
		return "unlikePost"
	}
	return "likePost"
}

// repostAction is what the button for reposts does.
func repostAction(p *gen.EventPost) string {
	if p.ViewerReposted {
		return "unrepostPost"
	}
	return "repostPost"
}

func commentsPath(p *gen.EventPost) string {
	return EventURL(p.EventID, "posts", p.ID.String(), "comments")
}
