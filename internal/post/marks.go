package post

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// mark is what one person can put on a post once: a like or a repost.
type mark struct {
	kind notify.Kind
	may  func(access.EventFacts) error

	add, remove *db.Stmt
	count       *db.Stmt // adds to the counter
	read        *db.Stmt // only reads it
	forget      *db.Stmt // removes those of one person
	uncount     *db.Stmt // takes them off the counters
	own         *db.Stmt // gives those of one person
}

var (
	like   = newMark("post_likes", "like_count", notify.PostLiked, mayAnswer)
	repost = newMark("reposts", "repost_count", notify.PostReposted, mayRepost)
)

func newMark(table, counter string, kind notify.Kind, may func(access.EventFacts) error) mark {
	return mark{
		kind: kind, may: may,
		add: db.SQL("post.add_"+table, `
			INSERT INTO `+table+` (user_id, post_id, created_at)
			SELECT $3, p.id, $4 FROM posts p WHERE p.event_id = $1 AND p.id = $2
			ON CONFLICT (user_id, post_id) DO NOTHING`),
		remove: db.SQL("post.remove_"+table, `DELETE FROM `+table+` WHERE user_id = $1 AND post_id = $2`),
		count: db.SQL("post.count_"+table, `
			UPDATE posts SET `+counter+` = `+counter+` + $3 WHERE event_id = $1 AND id = $2 RETURNING `+state(table, counter)),
		read:    db.SQL("post.read_"+table, `SELECT `+state(table, counter)+` FROM posts WHERE event_id = $1 AND id = $2`),
		forget:  db.SQL("post.forget_"+table, `DELETE FROM `+table+` WHERE user_id = $1 RETURNING post_id`),
		uncount: db.SQL("post.uncount_"+table, uncount(counter)),
		own:     db.SQL("post.own_"+table, `SELECT post_id, created_at FROM `+table+` WHERE user_id = $1 ORDER BY created_at, post_id`),
	}
}

// state is a post's counter, its author, and how many others have left the mark.
func state(table, counter string) string {
	return counter + `, author_id, ` + counter + ` - (SELECT COUNT(*) FROM ` + table + ` k WHERE k.user_id = posts.author_id AND k.post_id = posts.id)`
}

// State is a counter of a post, and whether the viewer is counted in it.
type State struct {
	PostID domain.PostID
	Count  int64
	Viewer bool

	author domain.UserID // of the post
	others int64         // counted, the author aside
}

func (s *State) columns() []any { return []any{&s.Count, &s.author, &s.others} }

// Like marks a post as liked by the viewer and tells its author; Unlike takes
// that back. Both may be repeated.
func (s *Service) Like(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.put(ctx, v, event, id, like)
}

// Unlike is described at Like.
func (s *Service) Unlike(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.take(ctx, v, event, id, like)
}

// Repost puts a post of a public event on the viewer's list and tells its
// author; Unrepost takes that back. Both may be repeated.
func (s *Service) Repost(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.put(ctx, v, event, id, repost)
}

// Unrepost is described at Repost.
func (s *Service) Unrepost(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID) (State, error) {
	return s.take(ctx, v, event, id, repost)
}

func (s *Service) put(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, m mark) (State, error) {
	now := s.Clock.Now()
	if m.kind == like.kind {
		state, done, err := s.likeAtOnce(ctx, v, event, id, now)
		if done || err != nil {
			return state, err
		}
	}
	return s.generally(ctx, v, event, id, m, now)
}

// generally puts a mark by all the rules there are.
func (s *Service) generally(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, m mark, now time.Time) (state State, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, event, now)
		if err != nil {
			return err
		}
		if err := m.may(facts); err != nil {
			return err
		}
		added, err := tx.Exec(ctx, m.add, event, id, v.UserID, now)
		if err != nil {
			return fmt.Errorf("%s %s: %w", m.add.Name(), id, err)
		}
		if state, err = m.state(ctx, tx, event, id, added); err != nil || added == 0 {
			return err
		}
		return state.tell(ctx, tx, m, v, event, now)
	})
	state.Viewer = true
	return state, err
}

func (s *Service) take(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, m mark) (state State, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := access.Event(ctx, tx, v, event, s.Clock.Now()); err != nil {
			return err
		}
		removed, err := tx.Exec(ctx, m.remove, v.UserID, id)
		if err != nil {
			return fmt.Errorf("%s %s: %w", m.remove.Name(), id, err)
		}
		if state, err = m.state(ctx, tx, event, id, -removed); err != nil || removed == 0 || state.others > 0 {
			return err
		}
		notify.Retract(ctx, tx, m.kind, v.UserID, id.String())
		return nil
	})
	return state, err
}

// state gives the counter after a change of it by -1, 0 or 1; domain.NotFound
// when the event has no such post.
func (m mark) state(ctx context.Context, tx db.Tx, event domain.EventID, id domain.PostID, change int64) (State, error) {
	state := State{PostID: id}
	row := tx.One(ctx, m.read, event, id)
	if change != 0 {
		row = tx.One(ctx, m.count, event, id, change)
	}
	err := row.Scan(state.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return state, domain.NotFound
	}
	if err != nil {
		return state, fmt.Errorf("%s %s: %w", m.count.Name(), id, err)
	}
	return state, nil
}
