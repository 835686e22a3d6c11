package bulk

import (
	"context"
	"iter"

	"moothall/bench/dataset"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Posts inserts posts of events that have none yet, the posts of each event oldest first.
func Posts(ctx context.Context, d *db.DB, all []dataset.Post) error {
	posts := []string{
		"id", "event_id", "seq", "author_id", "kind", "body", "like_count", "repost_count", "comment_count",
		"last_comment", "commented_at", "created_at", "updated_at",
	}
	if _, err := d.Bulk(ctx, "posts", posts, postRows(all)); err != nil {
		return err
	}
	comments := []string{"post_id", "seq", "id", "author_id", "parent_id", "depth", "body", "created_at", "updated_at"}
	if _, err := d.Bulk(ctx, "comments", comments, commentRows(all)); err != nil {
		return err
	}
	reactions := []string{"user_id", "post_id", "created_at"}
	if _, err := d.Bulk(ctx, "post_likes", reactions,
		reactionRows(all, func(p dataset.Post) []dataset.Reaction { return p.Likes })); err != nil {
		return err
	}
	_, err := d.Bulk(ctx, "reposts", reactions, reactionRows(all, func(p dataset.Post) []dataset.Reaction { return p.Reposts }))
	return err
}

func postRows(all []dataset.Post) iter.Seq[[]any] {
	seq := map[domain.EventID]int64{}
	return rowsOf(all, func(p dataset.Post) []any {
		seq[p.EventID]++
		commented, comments := p.CreatedAt, len(p.Comments)
		if comments > 0 {
			commented = p.Comments[comments-1].CreatedAt
		}
		return []any{
			p.ID, p.EventID, seq[p.EventID], p.AuthorID, p.Kind, p.Body, len(p.Likes), len(p.Reposts), comments,
			comments, commented, p.CreatedAt, p.CreatedAt,
		}
	})
}

// maxDepth is that of a comment in package post. A reply to a comment at maxDepth becomes its sibling.
const maxDepth = 8

// nested is the position of a comment in its thread.
type nested struct {
	parent *domain.CommentID
	depth  int
}

func commentRows(all []dataset.Post) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, p := range all {
			positions := make([]nested, len(p.Comments))
			for i, c := range p.Comments {
				at := nested{depth: 1}
				if c.Answers > 0 {
					at = nested{&p.Comments[c.Answers-1].ID, positions[c.Answers-1].depth + 1}
				}
				if at.depth > maxDepth {
					at = positions[c.Answers-1]
				}
				positions[i] = at
				if !yield([]any{p.ID, i + 1, c.ID, c.AuthorID, at.parent, at.depth, c.Body, c.CreatedAt, c.CreatedAt}) {
					return
				}
			}
		}
	}
}

func reactionRows(all []dataset.Post, of func(dataset.Post) []dataset.Reaction) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, p := range all {
			for _, r := range of(p) {
				if !yield([]any{r.UserID, p.ID, r.CreatedAt}) {
					return
				}
			}
		}
	}
}
