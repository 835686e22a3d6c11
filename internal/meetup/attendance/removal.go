package attendance

import (
	"context"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	removeStmt = db.SQL("attendance.remove", `
		UPDATE participants SET status = 'removed', left_at = $3, updated_at = $3
		WHERE event_id = $1 AND user_id = $2 AND status = 'going'
		RETURNING `+endedColumns)

	deleteInvitationStmt = db.SQL("attendance.delete_invitation", `DELETE FROM invitations WHERE event_id = $1 AND user_id = $2`)

	deleteEmailStmt = db.SQL("attendance.delete_email_invitation", `DELETE FROM email_invitations WHERE event_id = $1 AND user_id = $2`)

	// liftStmt lets a user join again whom the organizer removed at the time $3 or before.
	liftStmt = db.SQL("attendance.lift_removal", `
		UPDATE participants SET status = 'left', updated_at = $4
		WHERE event_id = $1 AND user_id = $2 AND status = 'removed' AND left_at <= $3`)
)

// Remove ends the participation of a guest, for the organizer, makes the refund of their payment due, and notifies them. They cannot join
// again before a new invitation or Approve. Returns the errors of guestUser, and Forbidden for the organizer, for a user who does not go,
// and if the event is over or canceled.
func (s *Service) Remove(ctx context.Context, v domain.Viewer, id domain.EventID, participant domain.ParticipantID) error {
	now := s.Clock.Now()
	g, _, err := s.guestUser(ctx, s.DB, v, id, participant)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, g.of)
		_, f, err := s.guestUser(ctx, tx, v, id, participant)
		if err != nil {
			return err
		}
		if g.of == f.OrganizerID {
			return domain.Forbid(domain.OwnEvent)
		}
		if err := f.Status.MustBe(access.Open...); err != nil {
			return err
		}
		tx.Queue(ctx, deleteInvitationStmt, id, g.of)
		tx.Queue(ctx, deleteEmailStmt, id, g.of)
		removed, err := db.All(ctx, tx, scanEnded, removeStmt, id, g.of, now)
		if err != nil {
			return err
		}
		if len(removed) == 0 {
			return mustBeRemoved(ctx, tx, &Participant{EventID: id, UserID: g.of})
		}
		if err := afterEnd(ctx, tx, removed, now); err != nil {
			return err
		}
		s.OnChange(ctx, tx, id, g.of, now)
		n := notify.Notification{To: g.of, Kind: notify.EventRemoved, Event: id}
		if f.Paid {
			due, err := s.Refund(ctx, tx, id, g.of, now)
			if err != nil {
				return err
			}
			if due {
				n.Params = map[string]string{"status": notify.RefundDue}
			}
		}
		return notify.Put(ctx, tx, now, n)
	})
}

// mustBeRemoved refuses to remove who does not go. It undoes the transaction unless they are removed already.
func mustBeRemoved(ctx context.Context, tx db.Tx, p *Participant) error {
	err := tx.One(ctx, lockParticipantStmt, p.EventID, p.UserID).ScanOr(domain.Forbid(domain.BlockedByState), p.columns()...)
	if err == nil && p.Status != statusRemoved {
		err = domain.Forbid(domain.BlockedByState)
	}
	return err
}
