package meetup_test

import (
	"iter"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// newPost is a post that insertPosts stores, with comments in the order of At, likes and reposts.
type newPost struct {
	ID       domain.PostID
	EventID  domain.EventID
	AuthorID domain.UserID
	Kind     string
	Body     string
	At       time.Time
	Comments []newComment
	Likes    []newReaction
	Reposts  []newReaction
}

type newComment struct {
	ID       domain.CommentID
	AuthorID domain.UserID
	Answers  int // position of the comment that it answers, from 1; 0 for none
	Body     string
	At       time.Time
}

type newReaction struct {
	UserID domain.UserID
	At     time.Time
}

// insertPosts stores posts of events that have none yet, the posts of each event oldest first. It is
// much faster than the API.
func insertPosts(t *testing.T, d *db.DB, all []newPost) {
	t.Helper()
	for _, table := range []struct {
		name    string
		columns []string
		rows    iter.Seq[[]any]
	}{
		{"posts", []string{"id", "event_id", "seq", "author_id", "kind", "body", "like_count", "repost_count", "comment_count",
			"last_comment", "commented_at", "created_at", "updated_at"}, postRows(all)},
		{"comments", []string{"post_id", "seq", "id", "author_id", "parent_id", "depth", "body", "created_at", "updated_at"}, commentRows(all)},
		{"post_likes", []string{"user_id", "post_id", "created_at"}, reactionRows(all, func(p newPost) []newReaction { return p.Likes })},
		{"reposts", []string{"user_id", "post_id", "created_at"}, reactionRows(all, func(p newPost) []newReaction { return p.Reposts })},
	} {
		if _, err := d.Bulk(t.Context(), table.name, table.columns, table.rows); err != nil {
			t.Fatal(err)
		}
	}
}

func postRows(all []newPost) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		seq := map[domain.EventID]int64{}
		for _, p := range all {
			seq[p.EventID]++
			commented, comments := p.At, len(p.Comments)
			if comments > 0 {
				commented = p.Comments[comments-1].At
			}
			if !yield([]any{p.ID, p.EventID, seq[p.EventID], p.AuthorID, p.Kind, p.Body, len(p.Likes), len(p.Reposts), comments,
				comments, commented, p.At, p.At}) {
				return
			}
		}
	}
}

// commentRows nests comments as package post does: at most 8 deep.
func commentRows(all []newPost) iter.Seq[[]any] {
	type nested struct {
		parent *domain.CommentID
		depth  int
	}
	return func(yield func([]any) bool) {
		for _, p := range all {
			positions := make([]nested, len(p.Comments))
			for i, c := range p.Comments {
				at := nested{depth: 1}
				if c.Answers > 0 {
					at = nested{&p.Comments[c.Answers-1].ID, positions[c.Answers-1].depth + 1}
				}
				if at.depth > 8 {
					at = positions[c.Answers-1]
				}
				positions[i] = at
				if !yield([]any{p.ID, i + 1, c.ID, c.AuthorID, at.parent, at.depth, c.Body, c.At, c.At}) {
					return
				}
			}
		}
	}
}

func reactionRows(all []newPost, of func(newPost) []newReaction) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, p := range all {
			for _, r := range of(p) {
				if !yield([]any{r.UserID, p.ID, r.At}) {
					return
				}
			}
		}
	}
}
