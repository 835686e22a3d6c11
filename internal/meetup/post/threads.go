package post

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// The limits of one response (contract §5). A batch divides its posts among its
// events. Cursors lead to the remaining posts and comments.
const (
	maxPosts         = 100 // of one event
	maxComments      = 200 // of one post
	maxBatchPosts    = 1000
	maxBatchComments = 50 // of one post
)

// maxRows is the number of posts, and of comments, that are read together. One event or
// one post may have more.
const maxRows = 200

// The names of the cursors. Their value is the seq of a post or of a comment.
const (
	postsCursor    = "posts.1"
	commentsCursor = "comments.1"
)

// postsBefore and commentsAfter return the cursors of the posts before, and of the
// comments after, a seq.
func postsBefore(seq int64) string   { return domain.Cursor(postsCursor, seq) }
func commentsAfter(seq int64) string { return domain.Cursor(commentsCursor, seq) }

func readCursor(cursor, list string, lowest int64) (seq int64, err error) {
	if err = domain.ReadCursor(cursor, list, &seq); err == nil && seq < lowest {
		err = domain.InvalidCursor
	}
	return seq, err
}

func beforePost(cursor string) (seq int64, err error)   { return readCursor(cursor, postsCursor, 1) }
func afterComment(cursor string) (seq int64, err error) { return readCursor(cursor, commentsCursor, 0) }

// ThreadReader reads the threads of events, group by group. Next and Skip must not be
// called concurrently.
type ThreadReader struct {
	service  *Service
	viewer   domain.Viewer
	events   []eventPosts
	before   *int64 // only posts with a smaller seq; nil for all
	posts    int    // maximum number of posts of each event, newest first
	comments int    // maximum number of comments of each post, oldest first

	unread  []eventPosts // the events whose posts are not read
	pending []Post       // the posts whose comments are not read
	group   []Thread     // for the next call of Next
	people  people
}

// eventPosts is an event and the seq of its newest post, 0 if there is none.
type eventPosts struct {
	id   domain.EventID
	last int64
}

// List returns a reader of a page of an event's threads with limit posts (1 to 100). An
// empty cursor means the newest.
func (s *Service) List(ctx context.Context, v domain.Viewer, event domain.EventID, limit int, cursor string) (*ThreadReader, error) {
	r := &ThreadReader{service: s, viewer: v, events: []eventPosts{{event, maxPosts}}, posts: limit, comments: maxComments, people: people{}}
	r.unread = r.events
	if cursor != "" {
		before, err := beforePost(cursor)
		if err != nil {
			return nil, err
		}
		r.before = &before
	}
	err := s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := access.Event(ctx, q, v, event, s.Clock.Now()); err != nil {
			return err
		}
		return r.read(ctx, q)
	})
	cache.Until(ctx, time.Time{})
	return r, err
}

// Comments returns a page of a post's comments, limit of them (1 to 200), oldest
// first. An empty cursor means the oldest.
func (s *Service) Comments(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, limit int,
	cursor string) (page domain.Page[Comment], err error) {
	var after int64
	if cursor != "" {
		if after, err = afterComment(cursor); err != nil {
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
		page.Items = comments[0]
		if n := len(page.Items); n > 0 && page.Items[n-1].seq < p.lastComment {
			page.Next = commentsAfter(page.Items[n-1].seq)
		}
		return people{}.add(ctx, q, v, []Post{p}, comments)
	})
	cache.Until(ctx, time.Time{})
	return page, err
}

// Batch returns a reader of the threads of several events in the order of the ids, each
// event once: the newest posts of each event with their first 50 comments. An event has at
// most 100 posts, a batch at most 1000. Batch leaves out unknown and hidden events, and
// returns domain.NotFound if none is left.
func (s *Service) Batch(ctx context.Context, v domain.Viewer, events []domain.EventID) (*ThreadReader, error) {
	r := &ThreadReader{service: s, viewer: v, comments: maxBatchComments, people: people{}}
	err := s.DB.Read(ctx, func(q db.Querier) (err error) {
		scan := func(row db.Row, e *eventPosts) error { return row.Scan(&e.id, &e.last) }
		if r.events, err = db.All(ctx, q, scan, visibleStmt, unique(events), v.UserID); err != nil {
			return err
		}
		if len(r.events) == 0 {
			return domain.NotFound
		}
		r.unread, r.posts = r.events, min(maxPosts, maxBatchPosts/len(r.events))
		return r.read(ctx, q)
	})
	return r, err
}

var visibleStmt = db.SQL("post.visible", `
	SELECT e.id, COALESCE((SELECT MAX(p.seq) FROM posts p WHERE p.event_id = e.id), 0)
	FROM ids($1) AS l JOIN events e ON e.id = l.value WHERE `+access.SeesEvent("e", "$2")+` ORDER BY l.ord`)

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

// postsStmt reads the posts from the $4th one before the cursor on, so that every page costs the same.
var postsStmt = db.SQL("post.posts", `
	SELECT `+postColumns("$2")+`, w.first
	FROM (SELECT l.value AS event_id, COALESCE(CAST($3 AS BIGINT), `+strconv.Itoa(math.MaxInt64)+`) AS before,
			(SELECT MIN(o.seq) FROM posts o WHERE o.event_id = l.value AND o.deleted_at IS NULL) AS first
		FROM ids($1) AS l) AS w
	JOIN posts p ON p.event_id = w.event_id AND p.deleted_at IS NULL AND p.seq < w.before AND p.seq >= COALESCE((
		SELECT f.seq FROM posts f WHERE f.event_id = w.event_id AND f.deleted_at IS NULL AND f.seq < w.before
		ORDER BY f.seq DESC LIMIT 1 OFFSET (SELECT CAST($4 AS BIGINT) - 1)), 0)
	ORDER BY p.event_id, p.seq DESC`)

// Next returns the next threads, at least one: event by event, newest post first. It
// returns none when all are read.
func (r *ThreadReader) Next(ctx context.Context) ([]Thread, error) {
	if len(r.group) == 0 && len(r.pending)+len(r.unread) > 0 {
		if err := r.service.DB.Read(ctx, func(q db.Querier) error { return r.read(ctx, q) }); err != nil {
			return nil, err
		}
	}
	group := r.group
	r.group = nil
	return group, nil
}

// Skip leaves out the unread threads of an event.
func (r *ThreadReader) Skip(event domain.EventID) {
	r.pending = slices.DeleteFunc(r.pending, func(p Post) bool { return p.EventID == event })
}

// read reads the next group.
func (r *ThreadReader) read(ctx context.Context, q db.Querier) error {
	for len(r.pending) == 0 && len(r.unread) > 0 {
		if err := r.readPosts(ctx, q); err != nil {
			return err
		}
	}
	n := leading(r.pending, func(p Post) int64 { return min(p.lastComment, int64(r.comments)) })
	posts := r.pending[:n]
	comments, err := readComments(ctx, q, posts, 0, r.comments)
	if err != nil {
		return err
	}
	if err := r.people.add(ctx, q, r.viewer, posts, comments); err != nil {
		return err
	}
	r.group = make([]Thread, n)
	for i, p := range posts {
		r.group[i] = Thread{Post: p, Comments: comments[i]}
	}
	r.pending = r.pending[n:]
	return nil
}

// readPosts reads the posts of the next events into pending.
func (r *ThreadReader) readPosts(ctx context.Context, q db.Querier) (err error) {
	n := leading(r.unread, func(e eventPosts) int64 { return min(e.last, int64(r.posts)) })
	ids := make([]domain.EventID, n)
	for i, e := range r.unread[:n] {
		ids[i] = e.id
	}
	r.unread = r.unread[n:]
	scan := func(row db.Row, p *Post) error { return row.Scan(append(p.dest(), &p.first)...) }
	r.pending, err = db.All(ctx, q, scan, postsStmt, ids, r.viewer.UserID, r.before, r.posts)
	slices.SortStableFunc(r.pending, func(a, b Post) int {
		return cmp.Compare(slices.Index(ids, a.EventID), slices.Index(ids, b.EventID))
	})
	return err
}

// leading returns how many of the first items have at most maxRows rows together: at
// least one, unless there is none.
func leading[T any](items []T, rows func(T) int64) (n int) {
	for sum := int64(0); n < len(items); n++ {
		if sum += rows(items[n]); sum > maxRows && n > 0 {
			break
		}
	}
	return n
}

var commentsStmt = db.SQL("post.comments", `
	SELECT `+commentColumns+` FROM unseen_ids($1) AS l JOIN comments c ON c.post_id = l.value AND c.seq > $2 AND c.seq <= $3`)

// readComments returns the comments of each post with a seq greater than after, oldest
// first, at most limit of them.
func readComments(ctx context.Context, q db.Querier, posts []Post, after int64, limit int) ([][]Comment, error) {
	all := make([][]Comment, len(posts))
	index := make(map[domain.PostID]int, len(posts))
	var ids []domain.PostID
	for i, p := range posts {
		if index[p.ID] = i; p.lastComment > after {
			ids = append(ids, p.ID)
			all[i] = make([]Comment, 0, min(int64(limit), p.lastComment-after))
		}
	}
	for row, err := range q.Query(ctx, commentsStmt, ids, after, after+int64(limit)) {
		if err != nil {
			return nil, err
		}
		var c Comment
		if err := row.Scan(c.dest()...); err != nil {
			return nil, err
		}
		i := index[c.PostID]
		c.EventID = posts[i].EventID
		all[i] = append(all[i], c)
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b Comment) int { return cmp.Compare(a.seq, b.seq) })
	}
	return all, nil
}

// people are the authors that were read so far. An author is nil if the account is
// deleted, or if they and the viewer have a block.
type people map[domain.UserID]*user.Public

// add sets the authors of posts and comments. It removes the body of a comment whose
// author the viewer may not see.
func (known people) add(ctx context.Context, q db.Querier, v domain.Viewer, posts []Post, comments [][]Comment) error {
	var missing []domain.UserID
	want := func(id domain.UserID) {
		if _, ok := known[id]; !ok {
			known[id] = nil
			missing = append(missing, id)
		}
	}
	for i := range posts {
		want(posts[i].AuthorID)
		for _, c := range comments[i] {
			if c.DeletedAt == nil {
				want(c.AuthorID)
			}
		}
	}
	if len(missing) > 0 {
		found, err := authors(ctx, q, v, missing)
		if err != nil {
			return err
		}
		maps.Copy(known, found)
	}
	for i := range posts {
		posts[i].Author = known[posts[i].AuthorID]
		for j := range comments[i] {
			c := &comments[i][j]
			if c.DeletedAt != nil {
				continue
			}
			if c.Author = known[c.AuthorID]; c.Author == nil {
				c.Body = ""
			}
		}
	}
	return nil
}
