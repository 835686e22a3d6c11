package attendance

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// joinFacts are the facts that decide whether a viewer may join.
type joinFacts struct {
	access.EventFacts
	participated bool // the viewer goes or went to the event
	followers    int  // of the viewer, counted up to maxFollowers + 1
}

// announces reports whether a public join notifies the followers of the viewer.
func (f joinFacts) announces() bool {
	return f.Visibility == access.Public && f.followers > 0 && f.followers <= maxFollowers
}

var joinFactsStmt = db.SQL("attendance.join_facts", `
	SELECT `+access.FactsSQL("e", "$2", "$3")+`,
		EXISTS (SELECT 1 FROM participants p WHERE p.event_id = e.id AND p.user_id = $2), `+notify.FollowerCountSQL("$2", maxFollowers)+`
	FROM events e WHERE e.id = $1`)

// readJoinFacts returns NotFound if the viewer does not see the event.
func readJoinFacts(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (f joinFacts, err error) {
	err = f.Scan(tx.One(ctx, joinFactsStmt, id, v.UserID, now), &f.participated, &f.followers)
	return f, err
}

const participantColumns = `id, event_id, user_id, status, visibility, joined_at, left_at, created_at, updated_at, slot, party`

func (p *Participant) columns() []any {
	return []any{&p.ID, &p.EventID, &p.UserID, &p.Status, &p.Visibility, &p.JoinedAt, &p.LeftAt, &p.CreatedAt, &p.UpdatedAt,
		&p.seatRow, &p.Party}
}

// endedColumns are the columns of a participation that ends.
var endedColumns = participantColumns + `, ` + access.HasWebhookSQL(`(SELECT e.organizer_id FROM events e
	WHERE e.id = participants.event_id)`) + `, (SELECT e.waitlisted FROM events e WHERE e.id = participants.event_id),
	(SELECT e.has_questions FROM events e WHERE e.id = participants.event_id)`

func scanEnded(row db.Row, p *ended) error {
	return row.Scan(append(p.columns(), &p.hasWebhook, &p.waitlisted, &p.hasQuestions)...)
}

var (
	// A user who joins twice at the same time violates the primary key once.
	joinStmt = db.SQL("attendance.join", `
		INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at, party, announcement)
		VALUES ($1, $2, $3, 'going', $4, $5, $6, $6, $6, $7, $8)
		RETURNING `+participantColumns)

	rejoinStmt = db.SQL("attendance.rejoin", `
		UPDATE participants SET status = 'going', visibility = $3, slot = $4, joined_at = $5, left_at = NULL, updated_at = $5, party = $6,
			announcement = $7
		WHERE event_id = $1 AND user_id = $2
		RETURNING `+participantColumns)

	leaveStmt = db.SQL("attendance.leave", `
		UPDATE participants SET status = 'left', left_at = $3, updated_at = $3
		WHERE event_id = $1 AND user_id = $2 AND status = 'going'
		RETURNING `+endedColumns)

	changeStmt = db.SQL("attendance.change", `
		UPDATE participants SET visibility = $3, party = $4, updated_at = $5, announcement = CASE WHEN visibility = $3 THEN announcement END
		WHERE event_id = $1 AND user_id = $2
		RETURNING `+participantColumns)

	lockParticipantStmt = db.SQL("attendance.lock_participant", `
		SELECT `+participantColumns+` FROM participants WHERE event_id = $1 AND user_id = $2 FOR UPDATE`)
)

// lockParticipant reads a participation for a change; NotFound if there is none.
func lockParticipant(ctx context.Context, tx db.Tx, p *Participant) error {
	return tx.One(ctx, lockParticipantStmt, p.EventID, p.UserID).ScanOr(domain.NotFound, p.columns()...)
}

var lockEventStmt = db.SQL("attendance.lock_event", `
	SELECT `+access.StatusSQL("e", "$2")+`, e.visibility, e.title = '', e.starts_at FROM events e WHERE e.id = $1 FOR UPDATE`)

// inviting is what decides whether an event takes invitations.
type inviting struct {
	status     access.Status
	visibility access.Visibility
	untitled   bool
	startsAt   time.Time
}

// lockEvent locks the event against other invitations and changes of its state.
func lockEvent(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (e inviting, err error) {
	err = tx.One(ctx, lockEventStmt, id, now).Scan(&e.status, &e.visibility, &e.untitled, &e.startsAt)
	return e, err
}

// Only verified addresses are found: users may claim an address that is not theirs.
var (
	findByPhoneStmt = db.SQL("attendance.find_by_phone", `
		SELECT u.id FROM users u WHERE u.phone = $1 AND u.suspended_at IS NULL AND `+mayBeInvited)

	findByEmailStmt = db.SQL("attendance.find_by_email", `
		SELECT u.id FROM users u WHERE u.email_key = $1 AND u.email_verified AND u.suspended_at IS NULL AND `+mayBeInvited)

	// mayBeInvited is true if the user u has no block with the inviting host $2, nor with the organizer of the event $3, whose block
	// hides the event.
	mayBeInvited = access.NotBlocked("u.id", "$2") + ` AND ` +
		access.NotBlocked("u.id", "(SELECT e.organizer_id FROM events e WHERE e.id = $3)")
)

// findInvitee returns the account with the phone or address; errNoInvitee if
// there is none that the host may invite to the event.
func findInvitee(ctx context.Context, q db.Querier, to invitee, host domain.UserID, event domain.EventID) (id domain.UserID, err error) {
	stmt, key := findByPhoneStmt, string(to.phone)
	if key == "" {
		stmt, key = findByEmailStmt, to.email.Key
	}
	err = q.One(ctx, stmt, key, host, event).ScanOr(errNoInvitee, &id)
	return id, err
}

var inviteStmt = db.SQL("attendance.invite", `
	INSERT INTO invitations (event_id, user_id, id, invited_by, status, message, created_at, updated_at)
	SELECT CAST($1 AS UUID), CAST($2 AS UUID), CAST($3 AS UUID), CAST($4 AS UUID), 'pending', CAST($5 AS TEXT), CAST($6 AS BIGINT),
		CAST($6 AS BIGINT)
	WHERE (SELECT COUNT(*) FROM invitations i WHERE i.event_id = $1 AND i.user_id <> $2)
		+ (SELECT COUNT(*) FROM email_invitations m WHERE m.event_id = $1 AND m.user_id IS NULL) < `+strconv.Itoa(maxInvitations)+`
	ON CONFLICT (event_id, user_id) DO UPDATE SET status = 'pending', invited_by = excluded.invited_by, message = excluded.message,
		responded_at = NULL, updated_at = excluded.updated_at`)

// putInvitation writes a pending invitation, or makes an earlier one pending.
// Returns Forbidden if the event already has maxInvitations invitations. The caller
// must have locked the event.
func putInvitation(ctx context.Context, tx db.Tx, id domain.EventID, user, by domain.UserID, message *string, now time.Time) error {
	n, err := tx.Exec(ctx, inviteStmt, id, user, domain.NewIDIn[domain.InvitationKind](ctx, now), by, message, now)
	if err == nil && n == 0 {
		return domain.Forbid(domain.InvitationLimit)
	}
	return err
}

const invitationColumns = `i.id, i.event_id, i.user_id, i.invited_by, i.status, i.message, i.responded_at, i.created_at, i.updated_at`

func (i *Invitation) columns() []any {
	return []any{&i.ID, &i.EventID, &i.UserID, &i.InvitedBy, &i.Status, &i.Message, &i.RespondedAt, &i.CreatedAt, &i.UpdatedAt}
}

var (
	lockInvitationStmt = db.SQL("attendance.lock_invitation", `
		SELECT `+invitationColumns+` FROM invitations i WHERE i.event_id = $1 AND i.user_id = $2 FOR UPDATE`)

	rsvpStmt = db.SQL("attendance.rsvp", `
		UPDATE invitations SET status = $3, responded_at = $4, updated_at = $4 WHERE event_id = $1 AND user_id = $2`)

	readInvitationStmt = db.SQL("attendance.read_invitation", `
		SELECT `+invitationColumns+`, `+user.Columns("o")+` FROM invitations i LEFT JOIN profiles o ON o.user_id = i.user_id
		WHERE i.event_id = $1 AND i.user_id = $2`)

	profileStmt = db.SQL("attendance.profile", `SELECT `+user.Columns("o")+` FROM profiles o WHERE o.user_id = $1`)

	eventOfInvitationStmt = db.SQL("attendance.event_of_invitation", `SELECT event_id FROM invitations WHERE id = $1 AND user_id = $2`)
)

// lockInvitation locks a user's invitation until the transaction ends.
func lockInvitation(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID) (i Invitation, invited bool, err error) {
	invited, err = tx.One(ctx, lockInvitationStmt, id, user).Find(i.columns()...)
	return i, invited, err
}

func setRSVP(ctx context.Context, tx db.Tx, i Invitation, status access.Invitation, now time.Time) {
	if status == access.Declined {
		tx.Changed(access.Rights.Of(i.UserID))
	}
	tx.Queue(ctx, rsvpStmt, i.EventID, i.UserID, status, now)
}

// queueInvitation queues the reading of an invitation and the invited user's profile.
func queueInvitation(ctx context.Context, tx db.Tx, event domain.EventID, invitee domain.UserID, i *Invitation,
	profile *user.ProfileColumns) {
	tx.Queue(ctx, readInvitationStmt, event, invitee).Into(append(i.columns(), profile.Dest()...)...)
}

func eventOfInvitation(ctx context.Context, q db.Querier, id domain.InvitationID, user domain.UserID) (event domain.EventID, err error) {
	err = q.One(ctx, eventOfInvitationStmt, id, user).ScanOr(domain.NotFound, &event)
	return event, err
}
