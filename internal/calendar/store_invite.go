package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Invites are two kinds of rows in one list, those to entries and those to
// events. Each of the two walks its own index to the end of the page.
const (
	inviteColumns = `u.id, u.status, u.invited_by, u.user_id, u.event_id, u.created_at, u.responded_at,
		u.entry_id, u.title, u.starts_at, u.ends_at, u.timezone, u.location_text, u.off, `

	toEntries = `
		SELECT i.id AS id, i.status AS status, i.invited_by AS invited_by, i.user_id AS user_id, CAST(NULL AS UUID) AS event_id,
			i.created_at AS created_at, i.responded_at AS responded_at, c.id AS entry_id, c.title AS title, c.starts_at AS starts_at,
			c.ends_at AS ends_at, c.timezone AS timezone, c.location_text AS location_text, c.canceled_at IS NOT NULL AS off
		FROM calendar_invites i JOIN calendar_entries c ON c.id = i.entry_id WHERE `

	toEvents = `
		SELECT i.id AS id, i.status AS status, i.invited_by AS invited_by, i.user_id AS user_id, e.id AS event_id,
			i.created_at AS created_at, i.responded_at AS responded_at, e.id AS entry_id, e.title AS title, e.starts_at AS starts_at,
			e.ends_at AS ends_at, e.timezone AS timezone, e.location_text AS location_text, e.status = 'canceled' AS off
		FROM invitations i JOIN events e ON e.id = i.event_id WHERE `
)

var notBlocked = access.NotBlocked("i.user_id", "i.invited_by")

func invitesOf(person string) *db.Stmt {
	page := ` AND (i.created_at, i.id) < ($3, $4) AND (CAST($2 AS TEXT) = '' OR i.status = $2) ORDER BY i.created_at DESC, i.id DESC LIMIT 101`
	return db.SQL("calendar.invites_"+person, `
		SELECT `+inviteColumns+user.Columns("o")+` FROM (
			SELECT * FROM (`+toEntries+`i.`+person+` = $1 AND `+notBlocked+page+`) AS a UNION ALL
			SELECT * FROM (`+toEvents+`i.`+person+` = $1 AND `+notBlocked+` AND `+access.SeesEvent("e", "$1")+page+`) AS b) AS u
		LEFT JOIN profiles o ON o.user_id = u.invited_by ORDER BY u.created_at DESC, u.id DESC LIMIT 101`)
}

var listInvitesStmts = map[string]*db.Stmt{Incoming: invitesOf("user_id"), Outgoing: invitesOf("invited_by")}

func scanInvite(row db.Row, i *Invite) error {
	var inviter user.Columned
	err := row.Scan(append([]any{&i.ID, &i.Status, &i.InvitedBy, &i.UserID, &i.EventID, &i.CreatedAt, &i.RespondedAt,
		&i.Entry.ID, &i.Entry.Title, &i.Entry.StartsAt, &i.Entry.EndsAt, &i.Entry.Timezone, &i.Entry.LocationText, &i.off}, inviter.Dest()...)...)
	i.Inviter = inviter.Public()
	return err
}

// listInvites gives a page behind a place in the order, and one more as far as
// there are any.
func listInvites(ctx context.Context, q db.Querier, user domain.UserID, f InviteFilter) ([]Invite, error) {
	invites, err := db.All(ctx, q, scanInvite, listInvitesStmts[f.Role], user, f.Status, f.beforeTime, f.beforeID)
	if err != nil {
		return nil, fmt.Errorf("calendar.invites: %w", err)
	}
	return invites, nil
}

const between = `i.id = $2 AND (i.user_id = $1 OR i.invited_by = $1) AND `

var readInviteStmt = db.SQL("calendar.invite", `
	SELECT `+inviteColumns+user.Columns("o")+` FROM (`+toEntries+between+notBlocked+` UNION ALL `+
	toEvents+between+notBlocked+` AND `+access.SeesEvent("e", "$1")+`) AS u
	LEFT JOIN profiles o ON o.user_id = u.invited_by`)

// readInvite reads an invite for one of its two people; domain.NotFound for others.
func readInvite(ctx context.Context, q db.Querier, user domain.UserID, id domain.InvitationID) (i Invite, err error) {
	err = scanInvite(q.One(ctx, readInviteStmt, user, id), &i)
	return i, orMissing(err, "calendar.invite", id)
}

func orMissing(err error, operation string, id domain.InvitationID) error {
	if errors.Is(err, db.ErrNoRow) {
		return domain.NotFound
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", operation, id, err)
	}
	return nil
}

var lockInviteStmt = db.SQL("calendar.lock_invite", `
	SELECT i.id, i.status, i.user_id, i.invited_by, c.canceled_at IS NOT NULL
	FROM calendar_invites i JOIN calendar_entries c ON c.id = i.entry_id
	WHERE i.id = $2 AND i.user_id = $1 AND `+notBlocked+` FOR UPDATE OF i`)

// lockInvite holds an invite that a user got to somebody's own entry;
// domain.NotFound when there is none.
func lockInvite(ctx context.Context, tx db.Tx, user domain.UserID, id domain.InvitationID) (i Invite, err error) {
	err = tx.One(ctx, lockInviteStmt, user, id).Scan(&i.ID, &i.Status, &i.UserID, &i.InvitedBy, &i.off)
	return i, orMissing(err, "calendar.lock_invite", id)
}

var answerStmt = db.SQL("calendar.answer", `UPDATE calendar_invites SET status = $2, responded_at = $3, updated_at = $3 WHERE id = $1`)

func answer(ctx context.Context, tx db.Tx, id domain.InvitationID, status string, now time.Time) error {
	if _, err := tx.Exec(ctx, answerStmt, id, status, now); err != nil {
		return fmt.Errorf("calendar.answer %s: %w", id, err)
	}
	return nil
}

var insertInvitesStmt = db.SQL("calendar.insert_invites", `
	INSERT INTO calendar_invites (entry_id, user_id, id, invited_by, status, created_at, updated_at)
	SELECT CAST($1 AS UUID), u.id, n.value, CAST($2 AS UUID), 'pending', CAST($5 AS BIGINT), CAST($5 AS BIGINT)
	FROM ids($3) AS l JOIN ids($4) AS n ON n.ord = l.ord JOIN users u ON u.id = l.value JOIN profiles o ON o.user_id = u.id
	WHERE u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$2"))

func insertInvites(ctx context.Context, tx db.Tx, id domain.EntryID, owner domain.UserID, invitees []domain.UserID, ids []domain.InvitationID, now time.Time) error {
	n, err := tx.Exec(ctx, insertInvitesStmt, id, owner, invitees, ids, now)
	if err != nil {
		return fmt.Errorf("calendar.insert_invites %s: %w", id, err)
	}
	if n < int64(len(invitees)) {
		return domain.NotFound
	}
	return nil
}

// Who else comes: to an entry, everybody invited, whatever they answered. Of an
// event the organizer sees that too, others whoever has accepted and goes
// openly: an answer that shows must not change when somebody goes incognito.
var (
	entryParticipantsStmt = db.SQL("calendar.entry_participants", `
		SELECT i.id, i.status, `+user.Columns("o")+` FROM calendar_invites i JOIN profiles o ON o.user_id = i.user_id
		WHERE i.entry_id = $1 AND `+access.NotBlocked("i.user_id", "$2")+` ORDER BY i.created_at, i.id`)

	eventParticipantsStmt = db.SQL("calendar.event_participants", `
		SELECT i.id, i.status, `+user.Columns("o")+`
		FROM invitations i JOIN events e ON e.id = i.event_id JOIN profiles o ON o.user_id = i.user_id
		LEFT JOIN participants p ON p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going'
		WHERE i.event_id = $1 AND (p.visibility IS NULL OR p.visibility <> 'incognito') AND (e.organizer_id = $2 OR i.status = 'accepted' AND p.visibility = 'public')
			AND `+access.NotBlocked("i.user_id", "$2")+` ORDER BY i.created_at, i.id`)
)

func listParticipants(ctx context.Context, q db.Querier, viewer domain.UserID, i Invite) ([]Participant, error) {
	stmt := entryParticipantsStmt
	if i.EventID != nil {
		stmt = eventParticipantsStmt
	}
	scan := func(row db.Row, p *Participant) error {
		var c user.Columned
		if err := row.Scan(append([]any{&p.ID, &p.Status}, c.Dest()...)...); err != nil {
			return err
		}
		p.Profile = *c.Public()
		return nil
	}
	all, err := db.All(ctx, q, scan, stmt, i.Entry.ID, viewer)
	if err != nil {
		return nil, fmt.Errorf("calendar.participants %s: %w", i.ID, err)
	}
	return all, nil
}

var partStmt = db.SQL("calendar.part", `
	UPDATE calendar_invites SET status = 'declined', responded_at = $3, updated_at = $3
	WHERE status = 'pending' AND (user_id = $1 AND invited_by = $2 OR user_id = $2 AND invited_by = $1)`)

// OnBlock declines the pending invites between two people of whom one has just
// blocked the other.
func OnBlock(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	if _, err := tx.Exec(ctx, partStmt, blocker, blocked, now); err != nil {
		return fmt.Errorf("calendar.part: %w", err)
	}
	return nil
}
