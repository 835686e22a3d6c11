package attendance

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// between is the condition that an invitation or a participation, with its
// user and the event e's organizer, stands between $1 and $2.
func between(user string) string {
	return fmt.Sprintf(`(e.organizer_id = $1 AND %[1]s = $2 OR e.organizer_id = $2 AND %[1]s = $1)`, user)
}

// coming is the condition that the event e is still to come, or under way, at $3.
const coming = `e.status IN ('draft', 'published') AND e.over_at > $3`

var (
	partInvitationsStmt = db.SQL("attendance.part_invitations", `
		UPDATE invitations SET status = 'declined', responded_at = $3, updated_at = $3
		WHERE user_id IN ($1, $2) AND status <> 'declined' AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = invitations.event_id AND `+between("invitations.user_id")+` AND (invitations.status = 'pending' OR `+coming+`))`)

	partParticipantsStmt = db.SQL("attendance.part_participants", `
		UPDATE participants SET status = 'left', left_at = $3, updated_at = $3
		WHERE user_id IN ($1, $2) AND status = 'going' AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = participants.event_id AND `+between("participants.user_id")+` AND `+coming+`)
		RETURNING `+participantColumns)
)

// OnBlock ends what joins two people of whom one has just blocked the other:
// pending invitations between them are declined, and the one's part in the
// other's coming events is over, its invitation declined with it (policy
// "Seeing an event").
func OnBlock(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	if _, err := tx.Exec(ctx, partInvitationsStmt, blocker, blocked, now); err != nil {
		return fmt.Errorf("attendance.part: %w", err)
	}
	scan := func(row db.Row, p *Participant) error { return row.Scan(p.columns()...) }
	left, err := db.All(ctx, tx, scan, partParticipantsStmt, blocker, blocked, now)
	if err != nil {
		return fmt.Errorf("attendance.part: %w", err)
	}
	if err := giveAllBack(ctx, tx, left); err != nil {
		return err
	}
	for _, p := range left {
		if err := takeBack(ctx, tx, p); err != nil {
			return err
		}
	}
	return nil
}
