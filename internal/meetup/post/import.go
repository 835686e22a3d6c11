package post

import (
	"context"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Imported is a post with its comments, likes and reposts, for seeding.
type Imported struct {
	ID       domain.PostID
	EventID  domain.EventID
	AuthorID domain.UserID
	Kind     string
	Body     string
	At       time.Time
	Comments []ImportedComment // in the order of At, which is different for each
	Likes    []ImportedReaction
	Reposts  []ImportedReaction
}

// ImportedComment is one comment of an imported post.
type ImportedComment struct {
	ID       domain.CommentID
	AuthorID domain.UserID
	Answers  int // position of the comment that it answers, from 1; 0 for none
	Body     string
	At       time.Time
}

// ImportedReaction is one like or repost, at most one of each user.
type ImportedReaction struct {
	UserID domain.UserID
	At     time.Time
}

// Import stores posts of events that have none yet, the posts of each event oldest
// first.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	posts := []string{"id", "event_id", "seq", "author_id", "kind", "body", "like_count", "repost_count", "comment_count",
		"last_comment", "commented_at", "created_at", "updated_at"}
	if _, err := d.Bulk(ctx, "posts", posts, postRows(all)); err != nil {
		return err
	}
	comments := []string{"post_id", "seq", "id", "author_id", "parent_id", "depth", "body", "created_at", "updated_at"}
	if _, err := d.Bulk(ctx, "comments", comments, commentRows(all)); err != nil {
		return err
	}
	reactions := []string{"user_id", "post_id", "created_at"}
	if _, err := d.Bulk(ctx, "post_likes", reactions, reactionRows(all, func(p Imported) []ImportedReaction { return p.Likes })); err != nil {
		return err
	}
	if _, err := d.Bulk(ctx, "reposts", reactions, reactionRows(all, func(p Imported) []ImportedReaction { return p.Reposts })); err != nil {
		return err
	}
	return nil
}

func postRows(all []Imported) iter.Seq[[]any] {
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

func commentRows(all []Imported) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, p := range all {
			comments := make([]Comment, len(p.Comments))
			for i, c := range p.Comments {
				comments[i] = Comment{ID: c.ID, depth: 1}
				if c.Answers > 0 {
					comments[i].ParentID, comments[i].depth = nest(comments[c.Answers-1])
				}
				if !yield([]any{p.ID, i + 1, c.ID, c.AuthorID, comments[i].ParentID, comments[i].depth, c.Body, c.At, c.At}) {
					return
				}
			}
		}
	}
}

func reactionRows(all []Imported, of func(Imported) []ImportedReaction) iter.Seq[[]any] {
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
