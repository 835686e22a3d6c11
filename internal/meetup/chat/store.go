package chat

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const messageColumns = `id, event_id, author_id, body, client_message_id, created_at, deleted_at`

func (m *Message) dest() []any {
	return []any{&m.ID, &m.EventID, &m.AuthorID, &m.Body, &m.ClientID, &m.CreatedAt, &m.DeletedAt}
}

// messagesSQL reads the messages of the event $1 before the time $3 that the
// viewer $2 sees.
var messagesSQL = `
	SELECT m.id, m.event_id, m.author_id, m.body, CASE WHEN m.author_id = $2 THEN m.client_message_id END, m.created_at, m.deleted_at,
		` + user.Columns("a") + `
	FROM messages m LEFT JOIN profiles a ON a.user_id = m.author_id
	WHERE m.event_id = $1 AND ` + access.NotBlocked("m.author_id", "$2") + ` AND m.created_at < $3
	ORDER BY m.created_at DESC`

// Every limit is a literal, because PostgreSQL plans a statement with LIMIT $4 again at
// each call. The limits are the default and the maximum size of a page, plus one
// look-ahead row.
var (
	messagesStmt     = db.SQL("chat.messages", messagesSQL+` LIMIT 51`)
	manyMessagesStmt = db.SQL("chat.many_messages", messagesSQL+` LIMIT 101`)
)

// messages returns more than limit messages if there are more.
func messages(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, before *time.Time, limit int) ([]Message, error) {
	end := domain.EndOfTime
	if before != nil {
		end = before.Add(time.Microsecond - time.Nanosecond).Truncate(time.Microsecond)
	}
	stmt := messagesStmt
	if limit > 50 {
		stmt = manyMessagesStmt
	}
	scan := func(row db.Row, m *Message) error {
		var author user.ProfileColumns
		err := row.Scan(append(m.dest(), author.Dest()...)...)
		m.Author = author.Public()
		return err
	}
	return db.All(ctx, q, scan, stmt, id, v.UserID, end)
}

var writerStmt = db.SQL("chat.writer", `
	SELECT `+access.FactsSQL("e", "$2", "$3")+`, `+user.Columns("a")+`
	FROM events e LEFT JOIN profiles a ON a.user_id = $2 WHERE e.id = $1`)

// loadWriter loads the data that Send depends on: the facts of the event and the viewer's
// profile. It returns domain.NotFound if the viewer does not see the event.
func loadWriter(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (access.EventFacts, *user.Public, error) {
	var facts access.EventFacts
	var author user.ProfileColumns
	err := facts.Scan(tx.One(ctx, writerStmt, id, v.UserID, now), author.Dest()...)
	return facts, author.Public(), err
}

// nextTimeStmt sets the time of the next message: now, or 1 µs after the latest message
// if the clock is not ahead of it. The lock on the chat's row lasts until the commit,
// so no message becomes visible after a later one.
var nextTimeStmt = db.SQL("chat.next_time", `
	INSERT INTO chats (event_id, last_at) VALUES ($1, $2)
	ON CONFLICT (event_id) DO UPDATE SET
		last_at = CASE WHEN chats.last_at < excluded.last_at THEN excluded.last_at ELSE chats.last_at + 1 END`)

// insertStmt writes a message at the time that nextTimeStmt has set. If the author
// repeats a message, the stored one stays unchanged.
var insertStmt = db.SQL("chat.insert", `
	INSERT INTO messages (event_id, created_at, id, author_id, client_message_id, body)
	SELECT c.event_id, c.last_at, CAST($2 AS UUID), CAST($3 AS UUID), CAST($4 AS UUID), CAST($5 AS TEXT)
	FROM chats c WHERE c.event_id = $1
	ON CONFLICT (author_id, event_id, client_message_id) DO UPDATE SET body = messages.body
	RETURNING `+messageColumns)

// insert queues the message. The stored message is in m after the commit.
func insert(ctx context.Context, tx db.Tx, m *Message, now time.Time) {
	tx.Queue(ctx, nextTimeStmt, m.EventID, now)
	tx.Queue(ctx, insertStmt, m.EventID, m.ID, m.AuthorID, m.ClientID, m.Body).Into(m.dest()...)
}
