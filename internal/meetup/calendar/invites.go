package calendar

import (
	"context"
	"errors"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The roles in an invite.
const (
	Incoming = "incoming"
	Outgoing = "outgoing"
)

// Invite invites a user to an entry of another user, or to an event (contract §8). The
// invite to an event is its invitation.
type Invite struct {
	ID                domain.InvitationID
	Status            string // pending, accepted, declined, tentative
	InvitedBy, UserID domain.UserID
	EventID           *domain.EventID
	CreatedAt         time.Time
	RespondedAt       *time.Time
	Entry             InviteEntry
	Inviter, Invited  *user.Public // nil if the account is deleted

	canceled bool // the entry is canceled
}

// InviteEntry contains the fields of an entry that an invite shows.
type InviteEntry struct {
	ID           domain.EntryID
	Title        string
	StartsAt     time.Time
	EndsAt       *time.Time
	Timezone     string
	LocationText *string
}

// Role returns the viewer's role in the invite.
func (i Invite) Role(v domain.Viewer) string {
	if i.UserID == v.UserID {
		return Incoming
	}
	return Outgoing
}

// Participant is an invited user and their answer.
type Participant struct {
	ID      domain.InvitationID
	Status  string
	Profile user.Public
}

// InviteFilter selects invites.
type InviteFilter struct {
	Role   string
	Status string // empty: any
	Limit  int    // 1 to 100
	Cursor string
}

// invitePosition is the key of an invite in the list of a user.
type invitePosition struct {
	time time.Time
	id   domain.InvitationID
}

// beforeInvite returns the position before which a page starts.
func beforeInvite(cursor string) (before invitePosition, err error) {
	before = invitePosition{latest, domain.LastID[domain.InvitationKind]()}
	if cursor != "" {
		err = domain.ReadCursor(cursor, invitesCursor, &before.time, &before.id)
	}
	return before, err
}

const invitesCursor = "calendar.invites.1"

// Invites returns the invites that the viewer received or sent, the newest first.
func (s *Service) Invites(ctx context.Context, v domain.Viewer, f InviteFilter) (domain.Page[Invite], error) {
	before, err := beforeInvite(f.Cursor)
	if err != nil {
		return domain.Page[Invite]{}, err
	}
	invites, err := db.All(ctx, s.DB, scanInvite, listInvitesStmts[f.Role], v.UserID, f.Status, before.time, before.id)
	return domain.NewPage(invites, f.Limit, func(last Invite) string {
		return domain.Cursor(invitesCursor, last.CreatedAt, last.ID)
	}), err
}

// messagesStmt counts the invites of a user to entries, and those whose mails and push messages wait. Package
// deliver writes outreach.
var messagesStmt = db.SQL("calendar.messages", `
	SELECT n.total - n.later, n.later FROM (
		SELECT (SELECT COUNT(*) FROM calendar_invites i WHERE i.invited_by = $1) AS total,
			(SELECT COUNT(*) FROM outreach o WHERE o.sender_id = $1 AND o.released_at IS NULL AND o.kind = 'calendar_invite') AS later) AS n`)

// Messages returns how many invites of the viewer have been sent by mail and push, and how many wait for the
// budget of the viewer.
func (s *Service) Messages(ctx context.Context, v domain.Viewer) (sent, later int, err error) {
	err = s.DB.One(ctx, messagesStmt, v.UserID).Scan(&sent, &later)
	return max(sent, 0), later, err
}

// Invite returns one invite and the other participants, without incognito ones. It
// returns domain.NotFound unless the viewer sent or received the invite.
func (s *Service) Invite(ctx context.Context, v domain.Viewer, id domain.InvitationID) (i Invite, others []Participant, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if i, err = readInvite(ctx, q, v.UserID, id); err != nil {
			return err
		}
		others, err = listParticipants(ctx, q, v.UserID, i)
		return err
	})
	return i, others, err
}

// Answer answers an invite that the viewer received; for an event, it answers the
// invitation. It returns domain.NotFound if the viewer did not receive it,
// domain.Forbidden if the entry is canceled, and the errors of
// attendance.Service.RSVPByID.
func (s *Service) Answer(ctx context.Context, v domain.Viewer, id domain.InvitationID, status string) (i Invite, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		var before Invite
		err := tx.One(ctx, lockInviteStmt, v.UserID, id).
			ScanOr(domain.NotFound, &before.ID, &before.Status, &before.UserID, &before.InvitedBy, &before.canceled)
		if err != nil {
			return err
		}
		if before.canceled {
			return domain.Forbid(domain.BlockedByState)
		}
		tx.Queue(ctx, answerStmt, id, status, now)
		if before.Status != status {
			if err := notifyOwner(ctx, tx, before, status, now); err != nil {
				return err
			}
		}
		i, err = readInvite(ctx, tx, v.UserID, id)
		return err
	})
	if !errors.Is(err, domain.NotFound) {
		return i, err
	}
	if err := s.Attendance.RSVPByID(ctx, v, id, status); err != nil {
		return i, err
	}
	return readInvite(ctx, s.DB, v.UserID, id)
}

// invite invites users to an entry. It returns domain.NotFound if one of them does
// not exist or is in a block with the owner.
func invite(ctx context.Context, tx db.Tx, id domain.EntryID, owner domain.UserID, invitees []domain.UserID, now time.Time) error {
	if len(invitees) == 0 {
		return nil
	}
	ids := make([]domain.InvitationID, len(invitees))
	for i := range ids {
		ids[i] = domain.NewID[domain.InvitationKind](now)
	}
	n, err := tx.Exec(ctx, insertInvitesStmt, id, owner, invitees, ids, now)
	if err != nil {
		return err
	}
	if n < int64(len(invitees)) {
		return domain.NotFound
	}
	for i, user := range invitees {
		n := notify.Notification{Kind: notify.CalendarInvite, To: user, Subject: ids[i].String(), Actor: owner}
		if err := notify.Put(ctx, tx, now, n); err != nil {
			return err
		}
	}
	return nil
}

// notifyOwner notifies the owner of an entry of an answer to an invite.
func notifyOwner(ctx context.Context, tx db.Tx, i Invite, status string, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		Kind: notify.CalendarInviteResponse, To: i.InvitedBy, Subject: i.ID.String(), Actor: i.UserID,
		Params: map[string]string{"status": status},
	})
}

// The invites are one list of two kinds of rows: invites to entries and invitations to
// events. Each kind reads at most one page from its own index.
const (
	inviteColumns = `u.id, u.status, u.invited_by, u.user_id, u.event_id, u.created_at, u.responded_at,
		u.entry_id, u.title, u.starts_at, u.ends_at, u.timezone, u.location_text, u.canceled, `

	toEntries = `
		SELECT i.id AS id, i.status AS status, i.invited_by AS invited_by, i.user_id AS user_id, CAST(NULL AS UUID) AS event_id,
			i.created_at AS created_at, i.responded_at AS responded_at, c.id AS entry_id, c.title AS title, c.starts_at AS starts_at,
			c.ends_at AS ends_at, c.timezone AS timezone, c.location_text AS location_text, c.canceled_at IS NOT NULL AS canceled
		FROM calendar_invites i JOIN calendar_entries c ON c.id = i.entry_id WHERE `

	toEvents = `
		SELECT i.id AS id, i.status AS status, i.invited_by AS invited_by, i.user_id AS user_id, e.id AS event_id,
			i.created_at AS created_at, i.responded_at AS responded_at, e.id AS entry_id, e.title AS title, e.starts_at AS starts_at,
			e.ends_at AS ends_at, e.timezone AS timezone, e.location_text AS location_text, e.status = 'canceled' AS canceled
		FROM invitations i JOIN events e ON e.id = i.event_id WHERE `
)

// The profiles of both users of the invite u.
var (
	profileColumns = user.Columns("o") + `, ` + user.Columns("p")
	joinProfiles   = `LEFT JOIN profiles o ON o.user_id = u.invited_by LEFT JOIN profiles p ON p.user_id = u.user_id`
)

var notBlocked = access.NotBlocked("i.user_id", "i.invited_by")

func invitesOf(person string) *db.Stmt {
	pageSQL := ` AND (i.created_at, i.id) < ($3, $4) AND (CAST($2 AS TEXT) = '' OR i.status = $2)
		ORDER BY i.created_at DESC, i.id DESC LIMIT 101`
	return db.SQL("calendar.invites_"+person, `
		SELECT `+inviteColumns+profileColumns+` FROM (
			SELECT * FROM (`+toEntries+`i.`+person+` = $1 AND `+notBlocked+pageSQL+`) AS a UNION ALL
			SELECT * FROM (`+toEvents+`i.`+person+` = $1 AND `+notBlocked+` AND `+access.SeesEvent("e", "$1")+pageSQL+`) AS b) AS u
		`+joinProfiles+` ORDER BY u.created_at DESC, u.id DESC LIMIT 101`)
}

var listInvitesStmts = map[string]*db.Stmt{Incoming: invitesOf("user_id"), Outgoing: invitesOf("invited_by")}

func scanInvite(row db.Row, i *Invite) error {
	var inviter, invited user.ProfileColumns
	err := row.Scan(i.columns(&inviter, &invited)...)
	i.Inviter, i.Invited = inviter.Public(), invited.Public()
	return err
}

func (i *Invite) columns(inviter, invited *user.ProfileColumns) []any {
	own := []any{&i.ID, &i.Status, &i.InvitedBy, &i.UserID, &i.EventID, &i.CreatedAt, &i.RespondedAt,
		&i.Entry.ID, &i.Entry.Title, &i.Entry.StartsAt, &i.Entry.EndsAt, &i.Entry.Timezone, &i.Entry.LocationText, &i.canceled}
	return slices.Concat(own, inviter.Dest(), invited.Dest())
}

const between = `i.id = $2 AND (i.user_id = $1 OR i.invited_by = $1) AND `

var readInviteStmt = db.SQL("calendar.invite", `
	SELECT `+inviteColumns+profileColumns+` FROM (`+toEntries+between+notBlocked+` UNION ALL `+
	toEvents+between+notBlocked+` AND `+access.SeesEvent("e", "$1")+`) AS u
	`+joinProfiles)

// readInvite reads an invite. It returns domain.NotFound unless the user sent or
// received it.
func readInvite(ctx context.Context, q db.Querier, viewer domain.UserID, id domain.InvitationID) (i Invite, err error) {
	var inviter, invited user.ProfileColumns
	err = q.One(ctx, readInviteStmt, viewer, id).ScanOr(domain.NotFound, i.columns(&inviter, &invited)...)
	i.Inviter, i.Invited = inviter.Public(), invited.Public()
	return i, err
}

// lockInviteStmt locks an invite to an entry that the user received.
var lockInviteStmt = db.SQL("calendar.lock_invite", `
	SELECT i.id, i.status, i.user_id, i.invited_by, c.canceled_at IS NOT NULL
	FROM calendar_invites i JOIN calendar_entries c ON c.id = i.entry_id
	WHERE i.id = $2 AND i.user_id = $1 AND `+notBlocked+` FOR UPDATE OF i`)

var answerStmt = db.SQL("calendar.answer", `UPDATE calendar_invites SET status = $2, responded_at = $3, updated_at = $3 WHERE id = $1`)

var insertInvitesStmt = db.SQL("calendar.insert_invites", `
	INSERT INTO calendar_invites (entry_id, user_id, id, invited_by, status, created_at, updated_at)
	SELECT CAST($1 AS UUID), u.id, n.value, CAST($2 AS UUID), 'pending', CAST($5 AS BIGINT), CAST($5 AS BIGINT)
	FROM ids($3) AS l JOIN ids($4) AS n ON n.ord = l.ord JOIN users u ON u.id = l.value JOIN profiles o ON o.user_id = u.id
	WHERE u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$2"))

// The participants of an entry are all invited users with their answers. The organizer
// of an event sees all its invitees except incognito participants. Others see only
// invitees who accepted and attend publicly: a longer list would reveal which invitees
// switch to incognito.
var (
	entryParticipantsStmt = db.SQL("calendar.entry_participants", `
		SELECT i.id, i.status, `+user.Columns("o")+` FROM calendar_invites i JOIN profiles o ON o.user_id = i.user_id
		WHERE i.entry_id = $1 AND `+access.NotBlocked("i.user_id", "$2")+` ORDER BY i.created_at, i.id`)

	eventParticipantsStmt = db.SQL("calendar.event_participants", `
		SELECT i.id, i.status, `+user.Columns("o")+`
		FROM invitations i JOIN events e ON e.id = i.event_id JOIN profiles o ON o.user_id = i.user_id
		LEFT JOIN participants p ON p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going'
		WHERE i.event_id = $1 AND (p.visibility IS NULL OR p.visibility <> 'incognito') AND (e.organizer_id = $2 OR i.status = 'accepted'
			AND p.visibility = 'public')
			AND `+access.NotBlocked("i.user_id", "$2")+` ORDER BY i.created_at, i.id`)
)

func listParticipants(ctx context.Context, q db.Querier, viewer domain.UserID, i Invite) ([]Participant, error) {
	stmt := entryParticipantsStmt
	if i.EventID != nil {
		stmt = eventParticipantsStmt
	}
	scan := func(row db.Row, p *Participant) error {
		var c user.ProfileColumns
		if err := row.Scan(append([]any{&p.ID, &p.Status}, c.Dest()...)...); err != nil {
			return err
		}
		p.Profile = *c.Public()
		return nil
	}
	return db.All(ctx, q, scan, stmt, i.Entry.ID, viewer)
}

var declineBetweenStmt = db.SQL("calendar.decline_between", `
	UPDATE calendar_invites SET status = 'declined', responded_at = $3, updated_at = $3
	WHERE status = 'pending' AND (user_id = $1 AND invited_by = $2 OR user_id = $2 AND invited_by = $1)`)

// OnBlock declines the pending invites between two users when one blocks the other.
func OnBlock(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	tx.Queue(ctx, declineBetweenStmt, blocker, blocked, now)
	return nil
}
