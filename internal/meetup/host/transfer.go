package host

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Transfer makes a host the organizer of an event, and the viewer a host. It returns the hosts afterwards. Returns NotFound if the viewer
// does not see the event or it has no such host; Forbidden unless the viewer organizes the event, in the wrong state of the event, for a
// host who has not accepted or is suspended, and after somebody has begun to pay for the event.
func (s *Service) Transfer(ctx context.Context, v domain.Viewer, id domain.EventID, to domain.UserID) (all []Host, err error) {
	now := s.Clock.Now()
	if err := mayTransfer(ctx, s.DB, v, id, now); err != nil {
		return nil, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Lock(ctx, tx, to)
		if err := mayTransfer(ctx, tx, v, id, now); err != nil {
			return err
		}
		if err := shareBlocked(ctx, tx, to); err != nil {
			return err
		}
		e, err := lockOpen(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if err := s.mayReceive(ctx, tx, e, to); err != nil {
			return err
		}
		if err := handOver(ctx, tx, e, to, now); err != nil {
			return err
		}
		tx.Queue(ctx, putFormerStmt, id, v.UserID, access.Host, now)
		all, err = list(ctx, tx, id)
		return err
	})
	return all, err
}

func mayTransfer(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) error {
	f, err := access.Event(ctx, q, v, id, now)
	if err != nil {
		return err
	}
	return f.MustOwn()
}

// mayReceive refuses users who cannot become the organizer of a locked event.
func (s *Service) mayReceive(ctx context.Context, tx db.Tx, e event.Event, to domain.UserID) error {
	h, err := read(ctx, tx, e.ID, to)
	if err != nil {
		return err
	}
	if h.Status == "" {
		return domain.NotFound
	}
	suspended, err := user.IsSuspended(ctx, tx, to)
	if err != nil {
		return err
	}
	begun, err := s.HasIntents(ctx, tx, e.ID)
	if err != nil {
		return err
	}
	if h.Status != Active || suspended || begun {
		return domain.Forbid(domain.BlockedByState)
	}
	if e.Status == access.Published && e.Price == event.Paid {
		return s.MayCharge(ctx, tx, to)
	}
	return nil
}

var (
	blockedWithStmt = db.SQL("host.blocked_with", `
		SELECT blocked_id FROM blocks WHERE blocker_id = $1 UNION SELECT blocker_id FROM blocks WHERE blocked_id = $1`)

	// blockedGuestsStmt selects the users in a block with $2 who go to the event $1, wait for it, ask to join or are invited.
	blockedGuestsStmt = db.SQL("host.blocked_guests", `
		SELECT g.user_id FROM (
			SELECT p.user_id FROM participants p WHERE p.event_id = $1 AND p.status = 'going'
			UNION SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.status IN ('waiting', 'offered')
			UNION SELECT j.user_id FROM join_requests j WHERE j.event_id = $1
			UNION SELECT i.user_id FROM invitations i WHERE i.event_id = $1 AND i.status <> 'declined') AS g
		WHERE NOT (`+access.NotBlocked("g.user_id", "$2")+`) ORDER BY g.user_id`)
)

// shareBlocked shares the accounts of the users in a block with the next organizer, whose account is locked or shared. So a join of one of
// them comes before, and handOver ends it, or comes afterwards and returns NotFound.
func shareBlocked(ctx context.Context, tx db.Tx, to domain.UserID) error {
	blocked, err := db.Values[domain.UserID](ctx, tx, blockedWithStmt, to)
	user.Share(ctx, tx, blocked...)
	return err
}

// endBlockedGuests ends the attendance, requests and invitations of guests in a block with the new organizer, as a block does. Call
// shareBlocked first.
func endBlockedGuests(ctx context.Context, tx db.Tx, id domain.EventID, to domain.UserID, now time.Time) error {
	guests, err := db.Values[domain.UserID](ctx, tx, blockedGuestsStmt, id, to)
	for _, guest := range guests {
		if err == nil {
			tx.Changed(access.Rights.Of(guest))
			err = attendance.OnBlock(ctx, tx, now, to, guest)
		}
	}
	return err
}

// handOver makes a host the organizer of a locked event. The roles of hosts in a block with the new organizer end, and so do the
// attendance of guests in such a block, and the webhooks of the old organizer for the event.
func handOver(ctx context.Context, tx db.Tx, e event.Event, to domain.UserID, now time.Time) error {
	if err := event.SetOrganizer(ctx, tx, e, to, now); err != nil {
		return err
	}
	tx.Changed(access.Rights.Of(e.OrganizerID), access.Rights.Of(to))
	tx.Queue(ctx, deleteStmt, e.ID, to)
	webhook.OnTransfer(ctx, tx, e.OrganizerID, e.ID)
	blocked, err := db.Values[domain.UserID](ctx, tx, endBlockedStmt, e.ID, to)
	if err != nil {
		return err
	}
	for _, id := range blocked {
		tx.Changed(access.Rights.Of(id))
	}
	if err := endBlockedGuests(ctx, tx, e.ID, to, now); err != nil {
		return err
	}
	n := notify.Notification{Kind: notify.EventTransferred, To: to, Actor: e.OrganizerID, Event: e.ID}
	return notify.Put(ctx, tx, now, n)
}
