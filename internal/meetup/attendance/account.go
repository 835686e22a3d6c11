package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// exported is the attendance section of an account export.
type exported struct {
	Attendance  []exportedAttendance `json:"attendance"`
	Invitations []exportedInvitation `json:"invitations"` // received and sent
	// EmailInvitations are those that the user has sent, or accepted without a session. They have no addresses of others.
	EmailInvitations []exportedEmailInvitation `json:"email_invitations"`
	InviteLinks      []exportedInviteLink      `json:"invite_links"` // that the user has made
	Waitlist         []exportedEntry           `json:"waitlist"`
	Requests         []exportedRequest         `json:"join_requests"`
}

type exportedAttendance struct {
	EventID    domain.EventID `json:"event_id"`
	Status     string         `json:"status"`
	Visibility string         `json:"participation_visibility"`
	JoinedAt   time.Time      `json:"joined_at"`
	LeftAt     *time.Time     `json:"left_at"`
	PartySize  int64          `json:"party_size"`
}

type exportedInvitation struct {
	ID          domain.InvitationID `json:"id"`
	EventID     domain.EventID      `json:"event_id"`
	UserID      domain.UserID       `json:"invited_user_id"`
	InvitedBy   domain.UserID       `json:"invited_by_user_id"`
	Status      string              `json:"status"`
	Message     *string             `json:"message"`
	RespondedAt *time.Time          `json:"responded_at"`
	CreatedAt   time.Time           `json:"created_at"`
}

type exportedEntry struct {
	ID         domain.WaitlistEntryID `json:"id"`
	EventID    domain.EventID         `json:"event_id"`
	Status     event.WaitlistStatus   `json:"status"`
	PartySize  int64                  `json:"party_size"`
	Visibility string                 `json:"participation_visibility"`
	Missed     int64                  `json:"missed"`
	CreatedAt  time.Time              `json:"created_at"`
}

type exportedRequest struct {
	ID         domain.ParticipantID `json:"id"`
	EventID    domain.EventID       `json:"event_id"`
	Status     string               `json:"status"`
	PartySize  int64                `json:"party_size"`
	Visibility string               `json:"participation_visibility"`
	Declines   int64                `json:"declines"`
	CreatedAt  time.Time            `json:"created_at"`
}

type exportedEmailInvitation struct {
	ID          domain.InvitationID `json:"id"`
	EventID     domain.EventID      `json:"event_id"`
	InvitedBy   domain.UserID       `json:"invited_by_user_id"`
	Status      string              `json:"status"`
	Name        *string             `json:"name"`
	Message     *string             `json:"message"`
	RespondedAt *time.Time          `json:"responded_at"`
	CreatedAt   time.Time           `json:"created_at"`
}

type exportedInviteLink struct {
	ID        domain.InviteLinkID `json:"id"`
	EventID   domain.EventID      `json:"event_id"`
	Uses      int64               `json:"uses"`
	MaxUses   *int64              `json:"max_uses"`
	ExpiresAt *time.Time          `json:"expires_at"`
	CreatedAt time.Time           `json:"created_at"`
}

var exportInviteLinksStmt = db.SQL("attendance.export_invite_links", `
	SELECT `+inviteLinkColumns+` FROM invite_links l WHERE l.created_by = $1 ORDER BY l.id`)

var exportEmailsStmt = db.SQL("attendance.export_email_invitations", `
	SELECT id, event_id, invited_by, status, name, message, responded_at, created_at FROM email_invitations
	WHERE invited_by = $1 OR user_id = $1 ORDER BY id`)

var (
	exportAttendanceStmt = db.SQL("attendance.export_attendance", `
		SELECT event_id, status, visibility, joined_at, left_at, party FROM participants WHERE user_id = $1 ORDER BY joined_at, event_id`)

	exportEntriesStmt = db.SQL("attendance.export_entries", `
		SELECT id, event_id, status, party, visibility, missed, created_at FROM waitlist_entries WHERE user_id = $1
		ORDER BY created_at, event_id`)

	exportRequestsStmt = db.SQL("attendance.export_requests", `
		SELECT id, event_id, status, party, visibility, declines, created_at FROM join_requests WHERE user_id = $1 ORDER BY created_at, event_id`)

	exportInvitationsStmt = db.SQL("attendance.export_invitations", `
		SELECT id, event_id, user_id, invited_by, status, message, responded_at, created_at FROM invitations
		WHERE user_id = $1 OR invited_by = $1 ORDER BY created_at, id`)
)

// Export returns a user's participations and the invitations that they received
// and sent.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	attendance, err := db.All(ctx, q, func(row db.Row, a *exportedAttendance) error {
		return row.Scan(&a.EventID, &a.Status, &a.Visibility, &a.JoinedAt, &a.LeftAt, &a.PartySize)
	}, exportAttendanceStmt, user)
	if err != nil {
		return nil, err
	}
	invitations, err := db.All(ctx, q, func(row db.Row, i *exportedInvitation) error {
		return row.Scan(&i.ID, &i.EventID, &i.UserID, &i.InvitedBy, &i.Status, &i.Message, &i.RespondedAt, &i.CreatedAt)
	}, exportInvitationsStmt, user)
	if err != nil {
		return nil, err
	}
	emails, err := db.Append(ctx, q, []exportedEmailInvitation{}, func(row db.Row, i *exportedEmailInvitation) error {
		return row.Scan(&i.ID, &i.EventID, &i.InvitedBy, &i.Status, &i.Name, &i.Message, &i.RespondedAt, &i.CreatedAt)
	}, exportEmailsStmt, user)
	if err != nil {
		return nil, err
	}
	links, err := db.Append(ctx, q, []exportedInviteLink{}, func(row db.Row, l *exportedInviteLink) error {
		return row.Scan(&l.ID, &l.EventID, &l.Uses, &l.MaxUses, &l.ExpiresAt, &l.CreatedAt)
	}, exportInviteLinksStmt, user)
	if err != nil {
		return nil, err
	}
	entries, err := db.Append(ctx, q, []exportedEntry{}, func(row db.Row, e *exportedEntry) error {
		return row.Scan(&e.ID, &e.EventID, &e.Status, &e.PartySize, &e.Visibility, &e.Missed, &e.CreatedAt)
	}, exportEntriesStmt, user)
	if err != nil {
		return nil, err
	}
	requests, err := db.Append(ctx, q, []exportedRequest{}, func(row db.Row, r *exportedRequest) error {
		return row.Scan(&r.ID, &r.EventID, &r.Status, &r.PartySize, &r.Visibility, &r.Declines, &r.CreatedAt)
	}, exportRequestsStmt, user)
	return exported{Attendance: append([]exportedAttendance{}, attendance...), Invitations: append([]exportedInvitation{}, invitations...),
		EmailInvitations: emails, InviteLinks: links, Waitlist: entries, Requests: requests}, err
}

var (
	eraseReceivedStmt = db.SQL("attendance.erase_received", `DELETE FROM invitations WHERE user_id = $1`)

	eraseEmailsStmt = db.SQL("attendance.erase_email_invitations", `DELETE FROM email_invitations WHERE invited_by = $1 OR user_id = $1`)

	eraseInviteLinksStmt = db.SQL("attendance.erase_invite_links", `DELETE FROM invite_links WHERE created_by = $1`)

	eraseRequestsStmt = db.SQL("attendance.erase_requests", `DELETE FROM join_requests WHERE user_id = $1`)

	eraseMessagesStmt = db.SQL("attendance.erase_messages", `UPDATE invitations SET message = NULL WHERE invited_by = $1
		AND message IS NOT NULL`)

	eraseParticipantStmt = db.SQL("attendance.erase_participant", `DELETE FROM participants WHERE user_id = $1 RETURNING `+endedColumns)
)

// Erase ends and deletes a user's participations, and deletes the invitations that they
// received, their requests and invitation links, and e-mail invitations of theirs. The other invitations that they sent lose their message.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	tx.Queue(ctx, eraseReceivedStmt, user)
	tx.Queue(ctx, eraseRequestsStmt, user)
	tx.Queue(ctx, eraseMessagesStmt, user)
	tx.Queue(ctx, eraseEmailsStmt, user)
	tx.Queue(ctx, eraseInviteLinksStmt, user)
	EndGuest(ctx, tx, user)
	if err := endEntries(ctx, tx, now, eraseEntriesStmt, user); err != nil {
		return err
	}
	all, err := db.All(ctx, tx, scanEnded, eraseParticipantStmt, user)
	if err != nil {
		return err
	}
	return afterEnd(ctx, tx, slices.DeleteFunc(all, func(p ended) bool { return p.Status != statusGoing }), now)
}

// betweenSQL is true if one of $1 and $2 organizes the event e and the other is user.
func betweenSQL(user string) string {
	return fmt.Sprintf(`(e.organizer_id = $1 AND %[1]s = $2 OR e.organizer_id = $2 AND %[1]s = $1)`, user)
}

// notOverSQL is true if the event e is neither canceled nor over at $3.
const notOverSQL = `e.status IN ('draft', 'published') AND e.over_at > $3`

var (
	declineStmt = db.SQL("attendance.block_invitations", `
		UPDATE invitations SET status = 'declined', responded_at = $3, updated_at = $3
		WHERE user_id IN ($1, $2) AND status <> 'declined' AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = invitations.event_id
				AND `+betweenSQL("invitations.user_id")+` AND (invitations.status = 'pending' OR `+notOverSQL+`))`)

	blockRequestsStmt = db.SQL("attendance.block_requests", `
		DELETE FROM join_requests WHERE user_id IN ($1, $2) AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = join_requests.event_id AND `+betweenSQL("join_requests.user_id")+`)`)

	endStmt = db.SQL("attendance.block_participants", `
		UPDATE participants SET status = 'left', left_at = $3, updated_at = $3
		WHERE user_id IN ($1, $2) AND status = 'going' AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = participants.event_id AND `+betweenSQL("participants.user_id")+` AND `+notOverSQL+`)
		RETURNING `+endedColumns)
)

var (
	eraseEntriesStmt = db.SQL("attendance.erase_entries", `DELETE FROM waitlist_entries WHERE user_id = $1 RETURNING event_id, user_id, party`)

	endEntriesStmt = db.SQL("attendance.block_entries", `
		UPDATE waitlist_entries SET status = 'left', updated_at = $3
		WHERE user_id IN ($1, $2) AND status IN ('waiting', 'offered') AND EXISTS (
			SELECT 1 FROM events e WHERE e.id = waitlist_entries.event_id AND `+betweenSQL("waitlist_entries.user_id")+`)
		RETURNING event_id, user_id, party`)
)

// endEntries ends entries of waiting lists by a statement, and frees the seats of their offers.
func endEntries(ctx context.Context, tx db.Tx, now time.Time, stmt *db.Stmt, args ...any) error {
	entries, err := db.All(ctx, tx, func(row db.Row, e *event.WaitlistEntry) error {
		return row.Scan(&e.EventID, &e.UserID, &e.Party)
	}, stmt, args...)
	if err != nil {
		return err
	}
	var seats []freed
	for _, e := range entries {
		tx.Changed(event.Attendance.Of(e.EventID))
		h, err := deleteHold(ctx, tx, e.EventID, e.UserID)
		if err != nil {
			return err
		}
		if h.party > 0 {
			seats = append(seats, freed{e.EventID, h.number, 0, h.party, true})
		}
		if err := putEnded(ctx, tx, e, now); err != nil {
			return err
		}
	}
	return seatsFreed(ctx, tx, now, seats...)
}

// OnBlock ends the relations of two users when one blocks the other. It declines pending
// invitations between them. Participations of one in coming events of the other, requests, and entries in their waiting lists, end,
// and OnBlock declines the invitations to these events (policy "Seeing an event").
func OnBlock(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	tx.Queue(ctx, declineStmt, blocker, blocked, now)
	tx.Queue(ctx, blockRequestsStmt, blocker, blocked)
	if err := endEntries(ctx, tx, now, endEntriesStmt, blocker, blocked, now); err != nil {
		return err
	}
	left, err := db.All(ctx, tx, scanEnded, endStmt, blocker, blocked, now)
	if err != nil {
		return err
	}
	return afterEnd(ctx, tx, left, now)
}
