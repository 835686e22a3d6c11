package post

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
	"moothall/internal/user"
)

// How much one answer holds at most (contract §5). A batch shares its posts
// out among its events; what it leaves out is found by the cursors.
const (
	mostPosts         = 100 // of one event
	mostComments      = 200 // of one post
	mostPostsOfBatch  = 1000
	mostCommentsBatch = 50 // of one post

	// Bytes of all comments. Once they are reached each further post has its
	// first comment alone: strangers write these texts, and anybody may ask for
	// thousands at once.
	mostText = 8 << 20
)

// The names of the cursors; the value is a place among the posts of an event
// or the comments of a post.
const (
	postsCursor    = "posts.1"
	commentsCursor = "comments.1"
)

// placeOf reads the place that a cursor of a list names.
func placeOf(cursor, list string) (place int64, err error) {
	if err = domain.ReadCursor(cursor, list, &place); err == nil && place < 1 {
		err = domain.InvalidCursor
	}
	return place, err
}

// window is what part of the threads is read.
type window struct {
	posts    int    // the newest so many of each event
	before   *int64 // of those before this place; nil for all
	comments int    // the first so many of each post
}

// List gives a page of an event's threads, limit posts (1 to 100), from a
// cursor or, when it is empty, from the newest post.
func (s *Service) List(ctx context.Context, v domain.Viewer, event domain.EventID, limit int, cursor string) (t Threads, err error) {
	w := window{posts: limit, comments: mostComments}
	if cursor != "" {
		before, err := placeOf(cursor, postsCursor)
		if err != nil {
			return t, err
		}
		w.before = &before
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := access.Event(ctx, q, v, event, s.Clock.Now()); err != nil {
			return err
		}
		all, err := readThreads(ctx, q, v, []domain.EventID{event}, w)
		if err == nil {
			t = all[0]
		}
		return err
	})
	respcache.Timeless(ctx)
	return t, err
}

// Comments gives a page of a post's comments, limit of them (1 to 200), from a
// cursor or, when it is empty, from the oldest.
func (s *Service) Comments(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, limit int, cursor string) (found []Comment, following *string, err error) {
	var after int64
	if cursor != "" {
		if after, err = placeOf(cursor, commentsCursor); err != nil {
			return nil, nil, err
		}
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := access.Event(ctx, q, v, event, s.Clock.Now()); err != nil {
			return err
		}
		p, err := findPost(ctx, q, v, event, id)
		if err != nil {
			return err
		}
		after = min(after, p.lastComment)
		comments, err := readComments(ctx, q, []Post{p}, after, limit)
		if err != nil {
			return err
		}
		found, following = comments[0], next(comments[0], p)
		return sign(ctx, q, v, []Post{p}, comments)
	})
	respcache.Timeless(ctx)
	return found, following, err
}

// Batch gives the threads of several events, in their order, repeated ids
// once: the newest posts of each, 100 at most and 1000 in all, with their first
// 50 comments. Events that are unknown or hidden are left out; domain.NotFound
// when none is left. However much it reads, it takes four statements.
func (s *Service) Batch(ctx context.Context, v domain.Viewer, events []domain.EventID) (all []Threads, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		seen, err := visible(ctx, q, v, events)
		if err != nil {
			return err
		}
		if len(seen) == 0 {
			return domain.NotFound
		}
		w := window{posts: min(mostPosts, mostPostsOfBatch/len(seen)), comments: mostCommentsBatch}
		all, err = readThreads(ctx, q, v, seen, w)
		return err
	})
	return all, err
}

var visibleStmt = db.SQL("post.visible", `
	SELECT e.id FROM ids($1) AS l JOIN events e ON e.id = l.value WHERE `+access.SeesEvent("e", "$2")+` ORDER BY l.ord`)

// visible gives those of the events that the viewer sees, each once, in order.
func visible(ctx context.Context, q db.Querier, v domain.Viewer, events []domain.EventID) ([]domain.EventID, error) {
	scan := func(row db.Row, id *domain.EventID) error { return row.Scan(id) }
	all, err := db.All(ctx, q, scan, visibleStmt, once(events), v.UserID)
	if err != nil {
		return nil, fmt.Errorf("post.visible: %w", err)
	}
	return all, nil
}

// once gives the ids in the order of their first occurrence.
func once[K any](ids []domain.ID[K]) []domain.ID[K] {
	met := make(map[domain.ID[K]]bool, len(ids))
	var list []domain.ID[K]
	for _, id := range ids {
		if !met[id] {
			met[id] = true
			list = append(list, id)
		}
	}
	return list
}

// postsStmt reads by place, so that a page costs the same wherever it lies.
var postsStmt = db.SQL("post.posts", `
	SELECT `+postColumns("$2")+`
	FROM (SELECT l.value AS event_id,
			COALESCE(CAST($3 AS BIGINT), (SELECT MAX(m.seq) + 1 FROM posts m WHERE m.event_id = l.value)) AS before
		FROM ids($1) AS l) AS w
	JOIN posts p ON p.event_id = w.event_id AND p.seq < w.before AND p.seq >= w.before - $4
	ORDER BY p.event_id, p.seq DESC`)

// readThreads gives the threads of events that the viewer sees, one for each.
func readThreads(ctx context.Context, q db.Querier, v domain.Viewer, events []domain.EventID, w window) ([]Threads, error) {
	posts, err := db.All(ctx, q, func(row db.Row, p *Post) error { return row.Scan(p.columns()...) }, postsStmt, events, v.UserID, w.before, w.posts)
	if err != nil {
		return nil, fmt.Errorf("post.posts: %w", err)
	}
	comments, err := readComments(ctx, q, posts, 0, w.comments)
	if err != nil {
		return nil, err
	}
	if err := sign(ctx, q, v, posts, comments); err != nil {
		return nil, err
	}
	byEvent := make(map[domain.EventID]*Threads, len(events))
	all := make([]Threads, len(events))
	for i, id := range events {
		all[i].EventID = id
		byEvent[id] = &all[i]
	}
	for i, p := range posts {
		t := byEvent[p.EventID]
		t.Items = append(t.Items, Thread{Post: p, Comments: comments[i], Next: next(comments[i], p)})
	}
	for i := range all {
		all[i].Next = older(all[i].Items, w.posts)
	}
	return all, nil
}

// older gives the cursor behind a full page, unless it ends with the first post.
func older(items []Thread, size int) *string {
	if len(items) < size || items[len(items)-1].Post.seq == 1 {
		return nil
	}
	cursor := domain.Cursor(postsCursor, items[len(items)-1].Post.seq)
	return &cursor
}

// next gives the cursor behind some comments of a post, unless they end with
// the last one.
func next(items []Comment, p Post) *string {
	if len(items) == 0 || items[len(items)-1].seq >= p.lastComment {
		return nil
	}
	cursor := domain.Cursor(commentsCursor, items[len(items)-1].seq)
	return &cursor
}

var commentsStmt = db.SQL("post.comments", `
	SELECT `+commentColumns+` FROM ids($1) AS l JOIN comments c ON c.post_id = l.value AND c.seq > $2 AND c.seq <= $3`)

// readComments gives the comments of each post that follow a place, oldest
// first: count of them, or as many as mostText allows.
func readComments(ctx context.Context, q db.Querier, posts []Post, after int64, count int) ([][]Comment, error) {
	all := make([][]Comment, len(posts))
	index := make(map[domain.PostID]int, len(posts))
	cut := make([]int64, len(posts)) // the place from which on there is no room; 0 is none
	var ids []domain.PostID
	for i, p := range posts {
		if index[p.ID] = i; p.lastComment > after {
			ids = append(ids, p.ID)
			all[i] = make([]Comment, 0, min(int64(count), p.lastComment-after))
		}
	}
	room := mostText
	for row, err := range q.Query(ctx, commentsStmt, ids, after, after+int64(count)) {
		if err != nil {
			return nil, fmt.Errorf("post.comments: %w", err)
		}
		var c Comment
		if err := row.Scan(c.columns()...); err != nil {
			return nil, fmt.Errorf("post.comments: %w", err)
		}
		i := index[c.PostID]
		if room -= len(c.Body); room < 0 && c.seq > after+1 {
			if cut[i] == 0 || c.seq < cut[i] {
				cut[i] = c.seq
			}
			continue
		}
		c.EventID = posts[i].EventID
		all[i] = append(all[i], c)
	}
	for i, list := range all {
		all[i] = slices.DeleteFunc(list, func(c Comment) bool { return cut[i] > 0 && c.seq > cut[i] })
		slices.SortFunc(all[i], func(a, b Comment) int { return cmp.Compare(a.seq, b.seq) })
	}
	return all, nil
}

// sign puts the authors under what they have written, as far as the viewer may
// know them. A comment without one keeps its place and loses its words.
func sign(ctx context.Context, q db.Querier, v domain.Viewer, posts []Post, comments [][]Comment) error {
	wanted := map[domain.UserID]bool{}
	for i := range posts {
		wanted[posts[i].AuthorID] = true
		for j := range comments[i] {
			if c := &comments[i][j]; c.DeletedAt == nil {
				wanted[c.AuthorID] = true
			}
		}
	}
	found, err := authors(ctx, q, v, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return err
	}
	for i := range posts {
		posts[i].Author = found[posts[i].AuthorID]
		for j := range comments[i] {
			comments[i][j].sign(found)
		}
	}
	return nil
}

func (c *Comment) sign(found map[domain.UserID]*user.Public) {
	if c.DeletedAt != nil {
		return
	}
	if c.Author = found[c.AuthorID]; c.Author == nil {
		c.Body = ""
	}
}
