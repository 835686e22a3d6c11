package post

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// A new like of somebody who may is three statements that go to the store at
// once. Whatever else there is to say to a like, Service.generally says.

var newLikeStmt = db.SQL("post.new_like", `
	INSERT INTO post_likes (user_id, post_id, created_at)
	SELECT $3, p.id, $4 FROM posts p JOIN events e ON e.id = p.event_id
	WHERE p.event_id = $1 AND p.id = $2 AND e.status <> 'draft' AND `+access.SeesEvent("e", "$3")+`
	ON CONFLICT (user_id, post_id) DO NOTHING`)

// newLike is the condition that user and post are those of the like that was just written.
func newLike(user, post string) string {
	return `EXISTS (SELECT 1 FROM post_likes n WHERE n.user_id = ` + user + ` AND n.post_id = ` + post + ` AND written_now(n))`
}

var countLikeStmt = db.SQL("post.count_new_like", `
	UPDATE posts SET like_count = like_count + 1 WHERE event_id = $1 AND id = $2 AND `+newLike("$3", "$2")+`
	RETURNING `+state("post_likes", "like_count"))

var tellOfLike = notify.NewTeller("new_like", `SELECT p.author_id AS user_id FROM posts p WHERE p.event_id = $9 AND p.id = $10 AND `+newLike("$11", "$10"))

// likeAtOnce likes a post; done is false when there is more to it than that.
func (s *Service) likeAtOnce(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.PostID, now time.Time) (state State, done bool, err error) {
	tell, err := tellOfLike.Step(now, notify.Notification{Kind: notify.PostLiked, Subject: id.String(), Actor: v.UserID, Event: event}, event, id, v.UserID)
	if err != nil {
		return State{}, false, err
	}
	state = State{PostID: id, Viewer: true}
	done, err = s.DB.Together(ctx,
		db.Do(newLikeStmt, event, id, v.UserID, now),
		db.Do(countLikeStmt, event, id, v.UserID).Into(state.columns()...),
		tell)
	return state, done, err
}
