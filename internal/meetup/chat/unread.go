package chat

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// MaxUnread is the highest number of unread messages that is reported: that many or more.
const MaxUnread = 100

// maxScanned is how many of the newest messages of a chat are looked at to count the unread
// ones and to find the last one. The others may be the viewer's own, or hidden from them.
const maxScanned = 500

// readTopic begins the name of the topic of transactions that move how far a user has read a chat.
const readTopic = "chat.read:"

// ReaderOf returns the user of such a topic; ok is false for the name of any other topic.
func ReaderOf(topic string) (user domain.UserID, ok bool) {
	text, ok := strings.CutPrefix(topic, readTopic)
	user, err := domain.ParseID[domain.UserKind](text)
	return user, ok && err == nil
}

// Chat is one chat of a viewer.
type Chat struct {
	EventID domain.EventID
	Event   event.Card
	Last    *Message // the newest message that the viewer sees; nil if there is none
	Unread  int      // messages of others after Read, at most MaxUnread
	Latest  Position // of the newest message, even if it is hidden from the viewer
	Read    Position // how far the viewer has read
}

// ReadState is how far a viewer has read a chat.
type ReadState struct {
	Read   Position
	Unread int // messages of others after Read, at most MaxUnread
}

// mineSQL selects the events whose chats the viewer $1 may read, and events that a block
// hides from them.
const mineSQL = `
	SELECT o.id FROM events o WHERE o.organizer_id = $1
	UNION SELECT h.event_id FROM event_hosts h WHERE h.user_id = $1 AND h.status = 'active'
	UNION SELECT p.event_id FROM participants p WHERE p.user_id = $1 AND p.status = 'going'
	UNION SELECT i.event_id FROM invitations i WHERE i.user_id = $1 AND i.status IN ('accepted', 'tentative')`

// newestSQL selects the newest messages of an event after a time that the viewer $1 sees.
func newestSQL(event, after string) string {
	return fmt.Sprintf(`
		SELECT s.created_at, s.author_id FROM (
			SELECT w.created_at, w.author_id, w.deleted_at FROM messages w
			WHERE w.event_id = %s AND w.created_at > %s ORDER BY w.created_at DESC LIMIT %d) AS s
		WHERE s.deleted_at IS NULL AND `+access.NotBlocked("s.author_id", "$1"), event, after, maxScanned)
}

// unreadSQL counts the unread messages of the viewer $1 in an event.
func unreadSQL(event, readAt string) string {
	return fmt.Sprintf(`(SELECT COUNT(*) FROM (SELECT 1 FROM (%s) AS seen WHERE seen.author_id <> $1 LIMIT %d) AS counted)`,
		newestSQL(event, readAt), MaxUnread)
}

// pageSQL selects chats of the viewer $1, the one with the newest message first. It reads one
// row of each chat.
const pageSQL = `
	SELECT c.event_id AS event_id, c.last_at AS last_at, COALESCE(r.read_at, 0) AS read_at
	FROM (` + mineSQL + `) AS mine
	CROSS JOIN chats c CROSS JOIN events e
	LEFT JOIN chat_reads r ON r.user_id = $1 AND r.event_id = c.event_id
	WHERE c.event_id = mine.id AND e.id = mine.id AND `

func chatsStmt(size int) *db.Stmt {
	return db.SQL("chat.chats_"+strconv.Itoa(size), chatSQL(pageSQL+access.SeesEvent("e", "$1")+`
		AND (c.last_at, c.event_id) < ($2, $3) ORDER BY c.last_at DESC, c.event_id DESC LIMIT `+strconv.Itoa(size+1)))
}

// chatSQL reads the columns of Chat.scan, as the viewer $1 sees the chats of a page.
func chatSQL(page string) string {
	return `
	WITH page AS (` + page + `)
	SELECT page.event_id, page.last_at, page.read_at, ` + unreadSQL("page.event_id", "page.read_at") + `,
		m.id, m.event_id, m.author_id, m.body, CASE WHEN m.author_id = $1 THEN m.client_message_id END, m.created_at, m.deleted_at, ` +
		user.Columns("a") + `
	FROM page
	LEFT JOIN messages m ON m.event_id = page.event_id AND m.created_at = (
		SELECT newest.created_at FROM (` + newestSQL("page.event_id", "0") + `) AS newest ORDER BY newest.created_at DESC LIMIT 1)
	LEFT JOIN profiles a ON a.user_id = m.author_id
	ORDER BY page.last_at DESC, page.event_id DESC`
}

// The sizes of the pages that are read, see messagesStmt.
const (
	shortPage = 20
	longPage  = 100
)

var shortPageStmt, longPageStmt = chatsStmt(shortPage), chatsStmt(longPage)

func (c *Chat) scan(row db.Row) error {
	var id *domain.MessageID
	var eventID *domain.EventID
	var authorID *domain.UserID
	var body *string
	var at *time.Time
	var m Message
	var author user.ProfileColumns
	dest := []any{&c.EventID, &c.Latest, &c.Read, &c.Unread, &id, &eventID, &authorID, &body, &m.ClientID, &at, &m.DeletedAt}
	if err := row.Scan(append(dest, author.Dest()...)...); err != nil || id == nil {
		return err
	}
	m.ID, m.EventID, m.AuthorID, m.Body, m.CreatedAt, m.Author = *id, *eventID, *authorID, *body, *at, author.Public()
	c.Last = &m
	return nil
}

// chatsCursor names the list of chats in its cursors.
const chatsCursor = "chats.1"

func afterChat(last Chat) string { return domain.Cursor(chatsCursor, int64(last.Latest), last.EventID) }

// chatPosition is the key of a chat in the list of a user.
type chatPosition struct {
	latest int64
	event  domain.EventID
}

// beforeChat returns the position before which a page starts.
func beforeChat(cursor string) (before chatPosition, err error) {
	before.latest = math.MaxInt64
	if cursor != "" {
		err = domain.ReadCursor(cursor, chatsCursor, &before.latest, &before.event)
	}
	return before, err
}

// Chats returns a page of the chats that the viewer may read and in which somebody has
// written, the one with the newest message first. An empty cursor means the first page.
func (s *Service) Chats(ctx context.Context, v domain.Viewer, limit int, cursor string) (page domain.Page[Chat], err error) {
	before, err := beforeChat(cursor)
	if err != nil {
		return page, err
	}
	stmt := shortPageStmt
	if limit > shortPage {
		stmt = longPageStmt
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		rows, err := db.All(ctx, q, func(row db.Row, c *Chat) error { return c.scan(row) }, stmt, v.UserID, before.latest, before.event)
		if err != nil {
			return err
		}
		page = domain.NewPage(rows, limit, afterChat)
		return addCards(ctx, q, v, page.Items, s.Clock.Now())
	})
	return page, err
}

func addCards(ctx context.Context, q db.Querier, v domain.Viewer, chats []Chat, now time.Time) error {
	if len(chats) == 0 {
		return nil
	}
	ids := make([]domain.EventID, len(chats))
	at := make(map[domain.EventID]*Chat, len(chats))
	for i := range chats {
		ids[i] = chats[i].EventID
		at[ids[i]] = &chats[i]
	}
	cards, err := event.Cards(ctx, q, v, ids, now)
	for _, card := range cards {
		at[card.ID].Event = card
	}
	return err
}

var unreadStmt = db.SQL("chat.unread", `
	WITH page AS (`+pageSQL+access.SeesEvent("e", "$1")+` ORDER BY c.last_at DESC LIMIT 100)
	SELECT counted.event_id, counted.n
	FROM (SELECT page.event_id AS event_id, `+unreadSQL("page.event_id", "page.read_at")+` AS n FROM page) AS counted WHERE counted.n > 0`)

// Unread returns the numbers of unread messages, each at most MaxUnread, of the user's 100
// chats with the newest messages. Chats without unread messages are left out.
func Unread(ctx context.Context, q db.Querier, user domain.UserID) (map[domain.EventID]int, error) {
	counts := map[domain.EventID]int{}
	for row, err := range q.Query(ctx, unreadStmt, user) {
		if err != nil {
			return nil, err
		}
		var id domain.EventID
		var n int
		if err := row.Scan(&id, &n); err != nil {
			return nil, err
		}
		counts[id] = n
	}
	return counts, nil
}

var (
	// markReadStmt moves forward only, and at most to the newest message.
	markReadStmt = db.SQL("chat.mark_read", `
		INSERT INTO chat_reads (user_id, event_id, read_at)
		SELECT CAST($1 AS UUID), c.event_id, CASE WHEN c.last_at < $3 THEN c.last_at ELSE $3 END FROM chats c WHERE c.event_id = $2
		ON CONFLICT (user_id, event_id) DO UPDATE SET read_at = excluded.read_at WHERE chat_reads.read_at < excluded.read_at`)

	readStateStmt = db.SQL("chat.read_state", `
		SELECT r.read_at, `+unreadSQL("r.event_id", "r.read_at")+` FROM chat_reads r WHERE r.user_id = $1 AND r.event_id = $2`)
)

// MarkRead records that the viewer has read a chat up to a position. A position before the
// stored one changes nothing, and one after the newest message means that message.
func (s *Service) MarkRead(ctx context.Context, v domain.Viewer, id domain.EventID, upTo Position) (state ReadState, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := authorize(ctx, tx, v, id, s.Clock.Now()); err != nil {
			return err
		}
		moved, err := tx.Exec(ctx, markReadStmt, v.UserID, id, upTo)
		if err != nil {
			return err
		}
		if moved > 0 {
			tx.Publish(db.Topic{Name: readTopic + v.UserID.String(), Shared: true})
		}
		_, err = tx.One(ctx, readStateStmt, v.UserID, id).Find(&state.Read, &state.Unread)
		return err
	})
	return state, err
}
