package post

import (
	"context"
	"math"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// reaction is a like or a repost: a user can add each to a post once.
type reaction struct {
	kind notify.Kind
	may  func(access.EventFacts) error

	facts   *db.Stmt
	add     *db.Stmt
	remove  *db.Stmt
	count   *db.Stmt // changes the counter of the post
	uncount *db.Stmt // changes the counters of several posts
	export  *db.Stmt
	erase   *db.Stmt
}

var (
	like   = newReaction("post_likes", "like_count", notify.PostLiked, mayRespond)
	repost = newReaction("reposts", "repost_count", notify.PostReposted, mayRepost)
)

func newReaction(table, counter string, kind notify.Kind, may func(access.EventFacts) error) reaction {
	return reaction{
		kind: kind, may: may,
		facts: db.SQL("post.facts_"+table, `
			SELECT `+access.FactsSQL("e", "$2", "$3")+`, p.author_id, COALESCE(p.`+counter+`, 0),
				EXISTS (SELECT 1 FROM `+table+` k WHERE k.user_id = $2 AND k.post_id = p.id)
			FROM events e LEFT JOIN posts p ON p.event_id = e.id AND p.id = $4 AND p.deleted_at IS NULL WHERE e.id = $1`),
		add:    db.SQL("post.add_"+table, `INSERT INTO `+table+` (user_id, post_id, created_at) VALUES ($1, $2, $3)`),
		remove: db.SQL("post.remove_"+table, `DELETE FROM `+table+` WHERE user_id = $1 AND post_id = $2`),
		count: db.SQL("post.count_"+table, `
			UPDATE posts SET `+counter+` = `+counter+` + $2 WHERE id = $1
			RETURNING `+counter+`, `+counter+` - (SELECT COUNT(*) FROM `+table+` k WHERE k.user_id = posts.author_id AND k.post_id = posts.id)`),
		uncount: db.SQL("post.uncount_"+table, uncountSQL(counter)),
		export:  db.SQL("post.export_"+table, `SELECT post_id, created_at FROM `+table+` WHERE user_id = $1 ORDER BY created_at, post_id`),
		erase:   db.SQL("post.erase_"+table, `DELETE FROM `+table+` WHERE user_id = $1 RETURNING post_id`),
	}
}

// State is a counter of a post, and whether the viewer is counted in it.
type State struct {
	PostID domain.PostID
	Count  int64
	Viewer bool
}

// Like adds the viewer's like to a post and notifies its author. Repeated, it
// changes nothing.
func (s *Service) Like(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.add(ctx, v, event, id, like)
}

// Unlike removes the viewer's like. Repeated, it changes nothing.
func (s *Service) Unlike(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.remove(ctx, v, event, id, like)
}

// Repost adds a post of a public event to the viewer's reposts and notifies its
// author. Repeated, it changes nothing.
func (s *Service) Repost(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.add(ctx, v, event, id, repost)
}

// Unrepost removes a post from the viewer's reposts. Repeated, it changes nothing.
func (s *Service) Unrepost(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.remove(ctx, v, event, id, repost)
}

// reactionFacts are the facts that adding and removing a reaction depend on.
type reactionFacts struct {
	access.EventFacts
	postAuthor *domain.UserID // nil if the event has no such post
	state      State
}

// load loads the facts for a viewer. It returns domain.NotFound if the viewer does not
// see the event.
func (r reaction) load(ctx context.Context, tx db.Tx, v domain.Viewer, event domain.EventID, id domain.PostID,
	now time.Time) (f reactionFacts, err error) {
	f.state.PostID = id
	err = f.Scan(tx.One(ctx, r.facts, event, v.UserID, now, id), &f.postAuthor, &f.state.Count, &f.state.Viewer)
	return f, err
}

// lockPostStmt makes other likes and reposts of the post wait for the commit. Every
// transaction locks the post first, and the row of the reaction afterwards.
var lockPostStmt = db.SQL("post.lock_post", `SELECT 1 FROM posts WHERE id = $1 FOR NO KEY UPDATE`)

// add adds a reaction. When the same user adds it twice at the same time, the second
// transaction fails. Then add tries again and locks the post, so that it sees the
// stored reaction.
func (s *Service) add(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, r reaction) (State, error) {
	state, err := s.tryAdd(ctx, v, event, id, r, false)
	if db.UniqueViolation(err) {
		state, err = s.tryAdd(ctx, v, event, id, r, true)
	}
	return state, err
}

func (s *Service) tryAdd(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, r reaction,
	lock bool) (state State, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if lock {
			tx.Queue(ctx, lockPostStmt, id)
		}
		f, err := r.load(ctx, tx, v, event, id, now)
		if err != nil {
			return err
		}
		if err := r.may(f.EventFacts); err != nil {
			return err
		}
		if f.postAuthor == nil {
			return domain.NotFound
		}
		if state = f.state; state.Viewer {
			return nil
		}
		state.Viewer = true
		tx.Changed(r.changes(v.UserID, event)...)
		tx.Queue(ctx, r.count, id, 1).Into(&state.Count, nil)
		tx.Queue(ctx, r.add, v.UserID, id, now)
		return notify.Put(ctx, tx, now, r.notification(f, v))
	})
	return state, err
}

// changes returns the entities that a reaction of a user changes.
func (r reaction) changes(by domain.UserID, event domain.EventID) []db.Entity {
	if r.kind == notify.PostReposted {
		return []db.Entity{Posts.Of(event), user.Activity.Of(by)}
	}
	return []db.Entity{Posts.Of(event)}
}

// notification notifies the author of the post.
func (r reaction) notification(f reactionFacts, v domain.Viewer) notify.Notification {
	return notify.Notification{To: *f.postAuthor, Kind: r.kind, Subject: f.state.PostID.String(), Actor: v.UserID, Event: f.ID}
}

// remove removes a reaction. All users who react to a post share one notification.
// remove retracts it when no reactions are left, except those of the post's author.
func (s *Service) remove(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID,
	r reaction) (state State, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		f, err := r.load(ctx, tx, v, event, id, now)
		if err != nil {
			return err
		}
		if f.postAuthor == nil {
			return domain.NotFound
		}
		if state = f.state; !state.Viewer {
			return nil
		}
		state.Viewer = false
		tx.Changed(r.changes(v.UserID, event)...)
		tx.Queue(ctx, lockPostStmt, id)
		removed, err := tx.Exec(ctx, r.remove, v.UserID, id)
		if err != nil {
			return err
		}
		var others int64 // users who still react, except the author of the post
		if err := tx.One(ctx, r.count, id, -removed).Scan(&state.Count, &others); err != nil {
			return err
		}
		if removed > 0 && others == 0 {
			notify.Retract(ctx, tx, r.notification(f, v))
		}
		return nil
	})
	return state, err
}

// Reposted is one of a user's reposts.
type Reposted struct {
	Post Post
	At   time.Time
}

const repostsCursor = "reposts.1"

// afterRepost returns the cursor of the reposts after one.
func afterRepost(last Reposted) string { return domain.Cursor(repostsCursor, last.At, last.Post.ID) }

var repostsStmt = db.SQL("post.reposts", `
	SELECT r.created_at, `+postColumns("$1")+`
	FROM reposts r JOIN posts p ON p.id = r.post_id JOIN events e ON e.id = p.event_id
	WHERE r.user_id = $1 AND (r.created_at, r.post_id) < ($2, $3) AND p.deleted_at IS NULL AND `+access.SeesEvent("e", "$1")+`
	ORDER BY r.created_at DESC, r.post_id DESC LIMIT $4`)

// repostPosition is the key of a repost in the list of its user.
type repostPosition struct {
	at   time.Time
	post domain.PostID
}

// beforeRepost returns the position before which a page starts.
func beforeRepost(cursor string) (before repostPosition, err error) {
	before.at = time.UnixMicro(math.MaxInt64)
	if cursor != "" {
		err = domain.ReadCursor(cursor, repostsCursor, &before.at, &before.post)
	}
	return before, err
}

// Reposts returns a page of the viewer's reposts, newest first. An empty cursor
// means the first page. Posts that the viewer no longer sees are left out.
func (s *Service) Reposts(ctx context.Context, v domain.Viewer, limit int, cursor string) (page domain.Page[Reposted], err error) {
	before, err := beforeRepost(cursor)
	if err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		scan := func(row db.Row, r *Reposted) error { return row.Scan(append([]any{&r.At}, r.Post.dest()...)...) }
		rows, err := db.All(ctx, q, scan, repostsStmt, v.UserID, before.at, before.post, limit+1)
		if err != nil {
			return err
		}
		page = domain.NewPage(rows, limit, afterRepost)
		var ids []domain.UserID
		for _, r := range page.Items {
			ids = append(ids, r.Post.AuthorID)
		}
		byID, err := authors(ctx, q, v, unique(ids))
		for i := range page.Items {
			page.Items[i].Post.Author = byID[page.Items[i].Post.AuthorID]
		}
		return err
	})
	return page, err
}
