package post

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// tellPost tells the people who come of a post, those who may come too of an
// announcement (contract §8).
func tellPost(ctx context.Context, tx db.Tx, p Post) error {
	n := notify.Notification{Kind: notify.EventPost, Subject: p.ID.String(), Actor: p.AuthorID, Event: p.EventID}
	if p.Kind == Announcement {
		n.Kind = notify.EventAnnouncement
		return notify.Announce(ctx, tx, p.CreatedAt, n, notify.GoingAndInvited(p.EventID))
	}
	return notify.Announce(ctx, tx, p.CreatedAt, n, notify.Going(p.EventID))
}

// kind is that of the notification about a comment.
func (c Comment) kind() notify.Kind {
	if c.ParentID != nil {
		return notify.CommentReplied
	}
	return notify.PostCommented
}

// tell tells the one whom a comment answers.
func (c Comment) tell(ctx context.Context, tx db.Tx, to domain.UserID) error {
	return notify.Put(ctx, tx, c.CreatedAt, notify.Notification{
		To: to, Kind: c.kind(), Subject: c.ID.String(), Actor: c.AuthorID, Event: c.EventID,
	})
}

func (c Comment) takeBack(ctx context.Context, tx db.Tx) error {
	notify.Retract(ctx, tx, c.kind(), c.AuthorID, c.ID.String())
	return nil
}

// tell tells the author of a post who has liked or reposted it.
func (s State) tell(ctx context.Context, tx db.Tx, m mark, v domain.Viewer, event domain.EventID, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		To: s.author, Kind: m.kind, Subject: s.PostID.String(), Actor: v.UserID, Event: event,
	})
}
