package chat

import (
	"context"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The messages of a chat are a log: positions rise in the order of the commits, so a reader
// who has read up to a position finds all later messages after it.

// TopicPrefix begins the name of every Topic. The id of the event follows.
const TopicPrefix = "chat:"

// Topic is published by transactions that have written a message to the chat.
func Topic(id domain.EventID) db.Topic {
	return db.Topic{Name: TopicPrefix + id.String(), Shared: true}
}

// LogPage is the maximum number of messages that After returns.
const LogPage = 50

var (
	afterStmt = db.SQL("chat.after", `
		SELECT m.id, m.event_id, m.author_id, m.body, m.client_message_id, m.created_at, m.deleted_at, `+user.Columns("a")+`
		FROM messages m LEFT JOIN profiles a ON a.user_id = m.author_id
		WHERE m.event_id = $1 AND m.created_at > $2 ORDER BY m.created_at LIMIT 50`)

	latestStmt = db.SQL("chat.latest", `SELECT m.created_at FROM messages m WHERE m.event_id = $1 ORDER BY m.created_at DESC LIMIT 1`)

	busyStmt = db.SQL("chat.busy", `SELECT c.event_id, c.last_at FROM chats c WHERE c.last_at > $1`)
)

var membersStmt = db.SQL("chat.members", `
	SELECT e.organizer_id FROM ids($1) AS l JOIN events e ON e.id = l.value
	UNION SELECT h.user_id FROM ids($1) AS l JOIN event_hosts h ON h.event_id = l.value WHERE h.status = 'active'
	UNION SELECT p.user_id FROM ids($1) AS l JOIN participants p ON p.event_id = l.value WHERE p.status = 'going'
	UNION SELECT i.user_id FROM ids($1) AS l JOIN invitations i ON i.event_id = l.value WHERE i.status IN ('accepted', 'tentative')`)

// Members returns the members of some chats.
func Members(ctx context.Context, q db.Querier, ids []domain.EventID) ([]domain.UserID, error) {
	return db.Values[domain.UserID](ctx, q, membersStmt, ids)
}

// After returns the messages after a position, oldest first, at most LogPage. They have the
// ClientID, which only the author may see; the caller hides them across blocks.
func After(ctx context.Context, q db.Querier, id domain.EventID, after Position) ([]Message, error) {
	scan := func(row db.Row, m *Message) error {
		var author user.ProfileColumns
		err := row.Scan(append(m.dest(), author.Dest()...)...)
		m.Author = author.Public()
		return err
	}
	return db.All(ctx, q, scan, afterStmt, id, after)
}

// Latest returns the position of the newest message, 0 if there is none.
func Latest(ctx context.Context, q db.Querier, id domain.EventID) (p Position, err error) {
	_, err = q.One(ctx, latestStmt, id).Find(&p)
	return p, err
}

// Busy returns the chats that have been written to since a position, and the newest
// position in each. Chats are independent: one with an earlier position can appear later.
func Busy(ctx context.Context, q db.Querier, since Position) (map[domain.EventID]Position, error) {
	busy := map[domain.EventID]Position{}
	for row, err := range q.Query(ctx, busyStmt, since) {
		if err != nil {
			return nil, err
		}
		var id domain.EventID
		var latest Position
		if err := row.Scan(&id, &latest); err != nil {
			return nil, err
		}
		busy[id] = latest
	}
	return busy, nil
}
