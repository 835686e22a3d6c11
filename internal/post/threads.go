package post

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// The limits of one response (contract §5). A batch divides its posts among its
// events; cursors lead to the remaining posts.
const (
	maxPosts         = 100 // of one event
	maxComments      = 200 // of one post
	maxBatchPosts    = 1000
	maxBatchComments = 50 // of one post

	// maxText limits the bytes of all comments: a request may ask for thousands of
	// comments, each of the maximum length. Beyond the limit each post has only its
	// first comment.
	maxText = 8 << 20
)

// The names of the cursors. Their value is the seq of a post or of a comment.
const (
	postsCursor    = "posts.1"
	commentsCursor = "comments.1"
)

func readCursor(cursor, list string) (seq int64, err error) {
	if err = domain.ReadCursor(cursor, list, &seq); err == nil && seq < 1 {
		err = domain.InvalidCursor
	}
	return seq, err
}

// window says which posts and comments to read.
type window struct {
	posts    int    // maximum number of posts of each event, newest first
	before   *int64 // only posts with a smaller seq; nil for all
	comments int    // maximum number of comments of each post, oldest first
}

// List returns a page of an event's threads with limit posts (1 to 100). An empty
// cursor means the newest.
func (s *Service) List(ctx context.Context, v domain.Viewer, event domain.EventID, limit int, cursor string) (t Threads, err error) {
	w := window{posts: limit, comments: maxComments}
	if cursor != "" {
		before, err := readCursor(cursor, postsCursor)
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
	cache.Until(ctx, time.Time{})
	return t, err
}

// Comments returns a page of a post's comments, limit of them (1 to 200), oldest
// first. An empty cursor means the oldest.
func (s *Service) Comments(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, limit int, cursor string) (page domain.Page[Comment], err error) {
	var after int64
	if cursor != "" {
		if after, err = readCursor(cursor, commentsCursor); err != nil {
			return page, err
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
		page = domain.Page[Comment]{Items: comments[0], Next: nextComments(comments[0], p)}
		return addAuthors(ctx, q, v, []Post{p}, comments)
	})
	cache.Until(ctx, time.Time{})
	return page, err
}

// Batch returns the threads of several events in the order of the ids, each event once:
// the newest posts of each event with their first 50 comments. An event has at most 100
// posts, a batch at most 1000. Batch leaves out unknown and hidden events, and returns
// domain.NotFound if none is left. It runs four statements for any number of events.
func (s *Service) Batch(ctx context.Context, v domain.Viewer, events []domain.EventID) (all []Threads, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		scan := func(row db.Row, id *domain.EventID) error { return row.Scan(id) }
		visible, err := db.All(ctx, q, scan, visibleStmt, unique(events), v.UserID)
		if err != nil {
			return err
		}
		if len(visible) == 0 {
			return domain.NotFound
		}
		w := window{posts: min(maxPosts, maxBatchPosts/len(visible)), comments: maxBatchComments}
		all, err = readThreads(ctx, q, v, visible, w)
		return err
	})
	return all, err
}

var visibleStmt = db.SQL("post.visible", `
	SELECT e.id FROM ids($1) AS l JOIN events e ON e.id = l.value WHERE `+access.SeesEvent("e", "$2")+` ORDER BY l.ord`)

// unique returns the ids in the order of their first occurrence.
func unique[K any](ids []domain.ID[K]) []domain.ID[K] {
	seen := make(map[domain.ID[K]]bool, len(ids))
	var list []domain.ID[K]
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}

// postsStmt reads a range of seq, so that every page costs the same.
var postsStmt = db.SQL("post.posts", `
	SELECT `+postColumns("$2")+`
	FROM (SELECT l.value AS event_id,
			COALESCE(CAST($3 AS BIGINT), (SELECT MAX(m.seq) + 1 FROM posts m WHERE m.event_id = l.value)) AS before
		FROM ids($1) AS l) AS w
	JOIN posts p ON p.event_id = w.event_id AND p.seq < w.before AND p.seq >= w.before - $4
	ORDER BY p.event_id, p.seq DESC`)

// readThreads returns the threads of each event. The viewer must see the events.
func readThreads(ctx context.Context, q db.Querier, v domain.Viewer, events []domain.EventID, w window) ([]Threads, error) {
	posts, err := db.All(ctx, q, func(row db.Row, p *Post) error { return row.Scan(p.dest()...) }, postsStmt, events, v.UserID, w.before, w.posts)
	if err != nil {
		return nil, err
	}
	comments, err := readComments(ctx, q, posts, 0, w.comments)
	if err != nil {
		return nil, err
	}
	if err := addAuthors(ctx, q, v, posts, comments); err != nil {
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
		t.Items = append(t.Items, Thread{Post: p, Comments: comments[i], Next: nextComments(comments[i], p)})
	}
	for i := range all {
		all[i].Next = nextPosts(all[i].Items, w.posts)
	}
	return all, nil
}

// nextPosts returns the cursor after a full page. It is empty if the page ends with the
// event's first post.
func nextPosts(items []Thread, limit int) string {
	if len(items) < limit || items[len(items)-1].Post.seq == 1 {
		return ""
	}
	return domain.Cursor(postsCursor, items[len(items)-1].Post.seq)
}

// nextComments returns the cursor after some comments of a post. It is empty if they end
// with the last comment.
func nextComments(items []Comment, p Post) string {
	if len(items) == 0 || items[len(items)-1].seq >= p.lastComment {
		return ""
	}
	return domain.Cursor(commentsCursor, items[len(items)-1].seq)
}

var commentsStmt = db.SQL("post.comments", `
	SELECT `+commentColumns+` FROM ids($1) AS l JOIN comments c ON c.post_id = l.value AND c.seq > $2 AND c.seq <= $3`)

// readComments returns the comments of each post with a seq greater than after, oldest
// first: at most limit comments, and fewer beyond maxText.
func readComments(ctx context.Context, q db.Querier, posts []Post, after int64, limit int) ([][]Comment, error) {
	all := make([][]Comment, len(posts))
	index := make(map[domain.PostID]int, len(posts))
	cut := make([]int64, len(posts)) // the first seq that maxText excludes; 0 for none
	var ids []domain.PostID
	for i, p := range posts {
		if index[p.ID] = i; p.lastComment > after {
			ids = append(ids, p.ID)
			all[i] = make([]Comment, 0, min(int64(limit), p.lastComment-after))
		}
	}
	remaining := maxText
	for row, err := range q.Query(ctx, commentsStmt, ids, after, after+int64(limit)) {
		if err != nil {
			return nil, err
		}
		var c Comment
		if err := row.Scan(c.dest()...); err != nil {
			return nil, err
		}
		i := index[c.PostID]
		if remaining -= len(c.Body); remaining < 0 && c.seq > after+1 {
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

// addAuthors sets the authors whom the viewer may see. It removes the body of a comment
// whose author they may not see.
func addAuthors(ctx context.Context, q db.Querier, v domain.Viewer, posts []Post, comments [][]Comment) error {
	wanted := map[domain.UserID]bool{}
	for i := range posts {
		wanted[posts[i].AuthorID] = true
		for _, c := range comments[i] {
			if c.DeletedAt == nil {
				wanted[c.AuthorID] = true
			}
		}
	}
	byID, err := authors(ctx, q, v, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return err
	}
	for i := range posts {
		posts[i].Author = byID[posts[i].AuthorID]
		for j := range comments[i] {
			c := &comments[i][j]
			if c.DeletedAt != nil {
				continue
			}
			if c.Author = byID[c.AuthorID]; c.Author == nil {
				c.Body = ""
			}
		}
	}
	return nil
}
