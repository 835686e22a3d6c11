package attendance

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// mostFollowers is how many followers are told where somebody goes; the feed
// shows it to the others (contract §8).
const mostFollowers = 500

// tellJoined tells the organizer of a first join, incognito ones too, and the
// followers of an open one.
func tellJoined(ctx context.Context, tx db.Tx, f access.EventFacts, p Participant, now time.Time) error {
	if p.firstTime() {
		n := p.notice(notify.EventJoined)
		n.To = f.OrganizerID
		if err := notify.Put(ctx, tx, now, n); err != nil {
			return err
		}
	}
	if p.Visibility == Incognito {
		return takeBack(ctx, tx, p)
	}
	return tellFollowers(ctx, tx, p, now)
}

func tellFollowers(ctx context.Context, tx db.Tx, p Participant, now time.Time) error {
	return notify.Announce(ctx, tx, now, p.notice(notify.FollowedUserGoing), notify.FollowersOfUpTo(p.UserID, mostFollowers))
}

// takeBack removes what followers were told of an attendance that has ended or
// gone incognito, unless they have read it, and what they are about to be told.
func takeBack(ctx context.Context, tx db.Tx, p Participant) error {
	notify.Retract(ctx, tx, notify.FollowedUserGoing, p.UserID, p.EventID.String())
	return nil
}

// tellInvited tells somebody that they are invited, again when they are again.
func tellInvited(ctx context.Context, tx db.Tx, event domain.EventID, user, by domain.UserID, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{Kind: notify.EventInvitation, To: user, Actor: by, Event: event})
}

// tellAnswered tells the organizer what somebody invited has answered.
func tellAnswered(ctx context.Context, tx db.Tx, i Invitation, status string, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		Kind: notify.EventInvitationResponse, To: i.InvitedBy, Actor: i.UserID, Event: i.EventID,
		Params: map[string]string{"status": status},
	})
}

func (p Participant) notice(kind notify.Kind) notify.Notification {
	return notify.Notification{Kind: kind, Actor: p.UserID, Event: p.EventID}
}
