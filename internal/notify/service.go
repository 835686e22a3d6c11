package notify

import (
	"context"
	"math"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Service is what people do with their notifications.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Query is what to list.
type Query struct {
	UnreadOnly bool
	Limit      int    // 1..100
	Cursor     string // Next of the page before; empty for the first
}

// Page is one page of the list, newest first.
type Page struct {
	Items  []Item
	Unread int     // in the whole list
	Next   *string // nil when this is the last page
}

// cursorName names the list and the version of its cursor's values.
const cursorName = "notifications.1"

// mark is a place in the list: behind the notification of that time and id.
type mark struct {
	at time.Time
	id domain.NotificationID
}

// top is before the newest.
var top = mark{time.UnixMicro(math.MaxInt64), domain.NotificationID(lastUser)}

func readMark(cursor string) (m mark, err error) {
	if cursor == "" {
		return top, nil
	}
	return m, domain.ReadCursor(cursor, cursorName, &m.at, &m.id)
}

// List gives a page in a language. A notification that is renewed between two
// pages moves to the top, out of the pages still to come; nothing else is left
// out or repeated. domain.Invalid for a cursor that is none.
func (s *Service) List(ctx context.Context, v domain.Viewer, q Query, l Language) (p Page, err error) {
	from, err := readMark(q.Cursor)
	if err != nil {
		return Page{}, err
	}
	var rows []stored
	err = s.DB.Read(ctx, func(tx db.Querier) error {
		if rows, err = list(ctx, tx, v.UserID, q, from); err != nil {
			return err
		}
		p.Unread, err = unread(ctx, tx, v.UserID)
		return err
	})
	if err != nil {
		return Page{}, err
	}
	if len(rows) > q.Limit {
		rows = rows[:q.Limit]
		last := rows[q.Limit-1]
		next := domain.Cursor(cursorName, last.createdAt, last.id)
		p.Next = &next
	}
	p.Items = make([]Item, len(rows))
	for i := range rows {
		p.Items[i] = rows[i].item(l)
	}
	return p, nil
}

// Unread counts the unread ones.
func (s *Service) Unread(ctx context.Context, v domain.Viewer) (int, error) {
	return unread(ctx, s.DB, v.UserID)
}

// Read marks one as read and gives it in a language; when it was read before
// that stays as it is. domain.NotFound when the viewer has no such notification.
func (s *Service) Read(ctx context.Context, v domain.Viewer, id domain.NotificationID, l Language) (Item, error) {
	var n stored
	err := s.DB.InTx(ctx, func(tx db.Tx) (err error) {
		if err := markRead(ctx, tx, v.UserID, id, s.Clock.Now()); err != nil {
			return err
		}
		n, err = one(ctx, tx, v.UserID, id)
		return err
	})
	if err != nil {
		return Item{}, err
	}
	return n.item(l), nil
}

// ReadAll marks all as read that are there now, and gives how many were unread.
func (s *Service) ReadAll(ctx context.Context, v domain.Viewer) (int, error) {
	return markAllRead(ctx, s.DB, v.UserID, s.Clock.Now())
}
