package attendance

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// ofGroupSQL is true if the event e is for the members of the group $2, and $1 does not organize it.
const ofGroupSQL = `e.group_id = $2 AND e.visibility = 'members' AND e.organizer_id <> $1`

var (
	banRequestsStmt = db.SQL("attendance.ban_requests", `
		DELETE FROM join_requests WHERE user_id = $1 AND EXISTS (SELECT 1 FROM events e WHERE e.id = join_requests.event_id AND `+ofGroupSQL+`)`)

	banInvitationsStmt = db.SQL("attendance.ban_invitations", `
		UPDATE invitations SET status = 'declined', responded_at = $3, updated_at = $3
		WHERE user_id = $1 AND status <> 'declined' AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = invitations.event_id AND `+ofGroupSQL+` AND `+notOverSQL+`)`)

	banEntriesStmt = db.SQL("attendance.ban_entries", `
		UPDATE waitlist_entries SET status = 'left', updated_at = $3
		WHERE user_id = $1 AND status IN ('waiting', 'offered') AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = waitlist_entries.event_id AND `+ofGroupSQL+`)
		RETURNING event_id, user_id, party`)

	banStmt = db.SQL("attendance.ban_participants", `
		UPDATE participants SET status = 'left', left_at = $3, updated_at = $3
		WHERE user_id = $1 AND status = 'going' AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = participants.event_id AND `+ofGroupSQL+` AND `+notOverSQL+`)
		RETURNING `+endedColumns)
)

// OnBan ends the participations, requests, invitations and waiting list entries of a banned user in the group's coming events for members.
// It makes the refunds of their payments due.
func (s *Service) OnBan(ctx context.Context, tx db.Tx, group domain.GroupID, user domain.UserID, now time.Time) error {
	tx.Queue(ctx, banRequestsStmt, user, group)
	tx.Queue(ctx, banInvitationsStmt, user, group, now)
	if err := endEntries(ctx, tx, now, banEntriesStmt, user, group, now); err != nil {
		return err
	}
	left, err := db.All(ctx, tx, scanEnded, banStmt, user, group, now)
	if err != nil {
		return err
	}
	for _, p := range left {
		if _, err := s.Refund(ctx, tx, p.EventID, user, now); err != nil {
			return err
		}
	}
	return afterEnd(ctx, tx, left, now)
}
