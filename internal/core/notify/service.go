package notify

import (
	"context"
	"errors"
	"math"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Service reads notifications and marks them as read.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Query selects a page of the list.
type Query struct {
	UnreadOnly bool
	Limit      int    // 1 to 100
	Cursor     string // Next of the previous page; empty for the first
}

// Page is one page of the list, newest first.
type Page struct {
	domain.Page[Item]
	Unread int // in the whole list
}

// cursorName names the list and the version of the values in its cursor.
const cursorName = "notifications.1"

// position is the notification after which a page starts.
type position struct {
	at time.Time
	id domain.NotificationID
}

// top is the position before the newest notification.
var top = position{time.UnixMicro(math.MaxInt64), domain.LastID[domain.NotificationKind]()}

func readCursor(cursor string) (p position, err error) {
	if cursor == "" {
		return top, nil
	}
	return p, domain.ReadCursor(cursor, cursorName, &p.at, &p.id)
}

// List returns a page in a language. If a notification is renewed while a client
// reads page after page, it moves to the top and the later pages omit it. No other
// notification is omitted or repeated. Returns InvalidCursor for a cursor that the
// list did not issue.
func (s *Service) List(ctx context.Context, v domain.Viewer, q Query, l Language) (p Page, err error) {
	after, err := readCursor(q.Cursor)
	if err != nil {
		return Page{}, err
	}
	var rows []stored
	err = s.received(ctx, v, func() (incomplete bool, err error) {
		err = s.DB.Read(ctx, func(tx db.Querier) error {
			unread, err := countUnread(ctx, tx, v.UserID, s.Clock.Now())
			if err == nil {
				rows, err = list(ctx, tx, v, q, after)
			}
			p.Unread, incomplete = unread.count(), unread.incomplete()
			return err
		})
		return incomplete, err
	})
	if err != nil {
		return Page{}, err
	}
	page := domain.NewPage(rows, q.Limit, func(last stored) string {
		return domain.Cursor(cursorName, last.createdAt, last.id)
	})
	p.Next, p.Items = page.Next, make([]Item, len(page.Items))
	for i := range page.Items {
		p.Items[i] = page.Items[i].item(l)
	}
	return p, nil
}

// received calls read, which also reports whether the viewer has notifications to receive before. If so, it receives
// them and calls read again.
func (s *Service) received(ctx context.Context, v domain.Viewer, read func() (incomplete bool, err error)) error {
	incomplete, err := read()
	if err != nil || !incomplete {
		return err
	}
	if err := s.Receive(ctx, []domain.UserID{v.UserID}); err != nil {
		return err
	}
	_, err = read()
	return err
}

// maxCounted is how many joins a count finds again each time. More are received, because a row is counted in a tenth of the time.
const maxCounted = 20

// Unread counts the viewer's unread notifications.
func (s *Service) Unread(ctx context.Context, v domain.Viewer) (count int, err error) {
	err = s.received(ctx, v, func() (incomplete bool, err error) {
		unread, err := countUnread(ctx, s.DB, v.UserID, s.Clock.Now())
		count = unread.count()
		return unread.broadcasts || unread.joins > maxCounted, err
	})
	return count, err
}

// Read marks a notification as read and returns it in a language. Repeating it
// does not change the time of reading. Returns NotFound if the viewer has no
// such notification.
func (s *Service) Read(ctx context.Context, v domain.Viewer, id domain.NotificationID, l Language) (Item, error) {
	n, err := s.markRead(ctx, v, id)
	if errors.Is(err, domain.NotFound) { // or not received yet: a client may know the id from an earlier join
		some, failed := s.receive(ctx, v)
		if failed != nil {
			return Item{}, failed
		}
		if some {
			n, err = s.markRead(ctx, v, id)
		}
	}
	if err != nil {
		return Item{}, err
	}
	return n.item(l), nil
}

func (s *Service) markRead(ctx context.Context, v domain.Viewer, id domain.NotificationID) (n stored, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) (err error) {
		tx.Queue(ctx, markReadStmt, v.UserID, id, s.Clock.Now())
		tx.Publish(Topic(v.UserID))
		n, err = one(ctx, tx, v, id)
		return err
	})
	return n, err
}

// receive receives what the viewer has to receive, and reports whether there was anything.
func (s *Service) receive(ctx context.Context, v domain.Viewer) (some bool, err error) {
	unread, err := countUnread(ctx, s.DB, v.UserID, s.Clock.Now())
	if err != nil || !unread.incomplete() {
		return false, err
	}
	return true, s.Receive(ctx, []domain.UserID{v.UserID})
}

// ReadAll marks all notifications as read and returns how many were unread.
func (s *Service) ReadAll(ctx context.Context, v domain.Viewer) (int, error) {
	if _, err := s.receive(ctx, v); err != nil {
		return 0, err
	}
	n, err := s.DB.Exec(ctx, markAllReadStmt, v.UserID, s.Clock.Now())
	if err == nil {
		s.DB.Publish(Topic(v.UserID))
	}
	return int(n), err
}
