package guestmessage

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// facts are the facts that a new message depends on.
type facts struct {
	access.EventFacts
	startsAt time.Time
	viewer   *user.Public
}

var (
	factsStmt = db.SQL("guestmessage.facts", `
		SELECT `+access.FactsSQL("e", "$2", "$3")+`, e.starts_at, `+user.Columns("a")+`
		FROM events e LEFT JOIN profiles a ON a.user_id = $2 WHERE e.id = $1`)

	// lockEventStmt serializes messages of an event: the next one waits for the commit.
	lockEventStmt = db.SQL("guestmessage.lock_event", `SELECT id FROM events WHERE id = $1 FOR NO KEY UPDATE`)

	insertStmt = db.SQL("guestmessage.insert", `
		INSERT INTO guest_messages (id, event_id, author_id, audience, body, recipients, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

	deleteStmt = db.SQL("guestmessage.delete", `
		UPDATE guest_messages SET body = '', deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING event_id, author_id, audience`)

	dayStmt = db.SQL("guestmessage.day", `
		SELECT COUNT(*), MIN(m.created_at) FROM guest_messages m WHERE m.event_id = $1 AND m.created_at > $2`)

	listStmt = db.SQL("guestmessage.list", `
		SELECT m.id, m.event_id, m.author_id, m.audience, m.body, m.recipients, m.created_at, `+user.Columns("o")+`
		FROM guest_messages m JOIN events e ON e.id = m.event_id
		LEFT JOIN profiles o ON o.user_id = m.author_id AND `+access.NotBlocked("o.user_id", "$2")+`
		WHERE m.event_id = $1 AND m.deleted_at IS NULL AND (m.created_at, m.id) < ($3, $4) AND `+access.ReadsSQL("e", "$2", "m.audience")+`
		ORDER BY m.created_at DESC, m.id DESC LIMIT 101`)

	findStmt = db.SQL("guestmessage.find", `
		SELECT m.event_id, m.author_id, m.audience, m.body, m.deleted_at IS NOT NULL FROM guest_messages m WHERE m.id = $1`)

	// laterStmt counts the recipients of messages of the sender $2 whose mails wait. Package mail writes outreach.
	laterStmt = db.SQL("guestmessage.later", `
		SELECT COUNT(*) FROM outreach o WHERE o.sender_id = $2 AND o.released_at IS NULL AND o.event_id = $1 AND o.kind = $3`)
)

func load(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (f facts, err error) {
	var viewer user.ProfileColumns
	err = f.Scan(q.One(ctx, factsStmt, id, v.UserID, now), append([]any{&f.startsAt}, viewer.Dest()...)...)
	f.viewer = viewer.Public()
	return f, err
}

func lockEvent(ctx context.Context, tx db.Tx, id domain.EventID) error {
	return tx.One(ctx, lockEventStmt, id).Scan(&id)
}

// sentToday is the messages of an event in the last 24 hours.
type sentToday struct {
	n    int
	next time.Time // when the first of them stops counting
}

func (d sentToday) left() int { return max(maxPerDay-d.n, 0) }

func readDay(ctx context.Context, q db.Querier, id domain.EventID, now time.Time) (d sentToday, err error) {
	err = q.One(ctx, dayStmt, id, now.Add(-dayLength)).Scan(&d.n, db.OrZero(&d.next))
	d.next = d.next.Add(dayLength)
	return d, err
}

func scan(row db.Row, m *Message) error {
	var author user.ProfileColumns
	m.Recipients = new(int64)
	err := row.Scan(append([]any{&m.ID, &m.EventID, &m.AuthorID, &m.Audience, &m.Body, m.Recipients, &m.CreatedAt}, author.Dest()...)...)
	m.Author = author.Public()
	return err
}

// found is a message, which may be deleted.
type found struct {
	Message
	deleted bool
}

// find returns a message that the viewer reads or has written. Only the author finds a deleted one.
func find(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GuestMessageID, now time.Time) (m found, err error) {
	m.ID = id
	if err := q.One(ctx, findStmt, id).ScanOr(domain.NotFound, &m.EventID, &m.AuthorID, &m.Audience, &m.Body, &m.deleted); err != nil {
		return m, err
	}
	f, err := access.Guest(ctx, q, v, m.EventID, now)
	if err == nil && m.AuthorID != v.UserID && (m.deleted || !f.Reads(m.Audience)) {
		err = domain.NotFound
	}
	return m, err
}

// listCursor names the cursor of the list. Its values are the time and the id of a message.
const listCursor = "guest_messages.1"

// position is the key of a message in the list of an event.
type position struct {
	time time.Time
	id   domain.GuestMessageID
}

func beforeMessage(cursor string) (before position, err error) {
	before.time = domain.EndOfTime
	if cursor != "" {
		err = domain.ReadCursor(cursor, listCursor, &before.time, &before.id)
	}
	return before, err
}

// countStmts count the members of an audience who may read a message of the viewer $2. A guest in a block with a host reads it without
// its author. The statements of hosts count invitations and
// requests as the lists for hosts show them (package attendance): an invitation of a user who goes incognito looks unanswered, and
// incognito requests are hidden. Otherwise the numbers would reveal who goes incognito.
var countStmts = map[bool]map[access.Audience]*db.Stmt{false: newCountStmts("hosts"), true: newCountStmts("organizer")}

func newCountStmts(of string) map[access.Audience]*db.Stmt {
	all := map[access.Audience]*db.Stmt{}
	for _, a := range access.Audiences {
		members := access.MembersSQL(a, "$1")
		if of == "hosts" {
			members = shownToHosts(a, members)
		}
		all[a] = db.SQL("guestmessage.count_"+string(a)+"_"+of, `
			SELECT COUNT(*) FROM (`+members+`) AS m JOIN users u ON u.id = m.user_id, events e
			WHERE e.id = $1 AND u.suspended_at IS NULL AND u.id <> $2
				AND `+access.NotBlocked("u.id", "e.organizer_id"))
	}
	return all
}

func shownToHosts(a access.Audience, members string) string {
	switch a {
	case access.AudienceUnanswered:
		return members + `
			UNION SELECT i.user_id FROM invitations i JOIN participants p ON p.event_id = i.event_id AND p.user_id = i.user_id
				AND p.status = 'going' AND p.visibility = 'incognito'
			WHERE i.event_id = $1`
	case access.AudienceRequested:
		return members + ` AND j.visibility = 'public'`
	default:
		return members
	}
}

func countMembers(ctx context.Context, q db.Querier, v domain.Viewer, f access.EventFacts, a access.Audience) (n int64, err error) {
	err = q.One(ctx, countStmts[f.SeesIncognito(v)][a], f.ID, v.UserID).Scan(&n)
	return n, err
}
