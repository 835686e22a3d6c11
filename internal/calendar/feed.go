package calendar

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// FeedOptions are the settings of calendar feeds.
type FeedOptions struct {
	Key       []byte // makes the secrets; the same on all instances
	BaseURL   string // of the API
	WebOrigin string // of the web client, for links to events
}

// Feed is the secret address at which calendar programs read a user's calendar,
// including the notes. Anyone who knows the address can read it.
type Feed struct {
	URL       string
	CreatedAt time.Time
}

// feedHistory is how long past entries stay in a feed. A feed has at most 2,000
// entries: those that start first.
const feedHistory = 90 * 24 * time.Hour

const seedSize = 16

// secret returns the secret of a feed: its seed, which finds the row, and an HMAC of the
// seed. Neither the database nor the key alone gives access to a calendar.
func (o FeedOptions) secret(seed []byte) string {
	mac := hmac.New(sha256.New, o.Key)
	mac.Write([]byte("calendar feed\x00")) // separates this use of the key from others
	mac.Write(seed)
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{}, seed...), mac.Sum(nil)[:seedSize]...))
}

// seedOf returns the seed of a secret; ok is false if the HMAC is wrong.
func (o FeedOptions) seedOf(secret string) (seed []byte, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(raw) != 2*seedSize {
		return nil, false
	}
	seed = raw[:seedSize]
	return seed, hmac.Equal([]byte(o.secret(seed)), []byte(secret))
}

func (o FeedOptions) feed(seed []byte, at time.Time) Feed {
	return Feed{URL: o.BaseURL + "/calendar/feeds/" + o.secret(seed) + ".ics", CreatedAt: at}
}

var feedStmt = db.SQL("calendar.feed", `SELECT seed, created_at FROM calendar_feeds WHERE user_id = $1`)

// Feed returns the viewer's feed. It returns domain.NotFound if there is none.
func (s *Service) Feed(ctx context.Context, v domain.Viewer) (Feed, error) {
	var seed []byte
	var at time.Time
	if err := s.DB.One(ctx, feedStmt, v.UserID).ScanOr(domain.NotFound, &seed, &at); err != nil {
		return Feed{}, err
	}
	return s.Feeds.feed(seed, at), nil
}

var openFeedStmt = db.SQL("calendar.open_feed", `
	INSERT INTO calendar_feeds (user_id, seed, created_at) VALUES ($1, $2, $3)
	ON CONFLICT (user_id) DO UPDATE SET seed = excluded.seed, created_at = excluded.created_at`)

// OpenFeed creates a new address for the viewer's calendar. The previous address
// stops working.
func (s *Service) OpenFeed(ctx context.Context, v domain.Viewer) (Feed, error) {
	now := s.Clock.Now()
	seed := make([]byte, seedSize)
	_, _ = rand.Read(seed) // never fails
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, openFeedStmt, v.UserID, seed, now)
		return err
	})
	if err != nil {
		return Feed{}, err
	}
	return s.Feeds.feed(seed, now), nil
}

var closeFeedStmt = db.SQL("calendar.close_feed", `DELETE FROM calendar_feeds WHERE user_id = $1`)

// CloseFeed deletes the viewer's feed, if there is one.
func (s *Service) CloseFeed(ctx context.Context, v domain.Viewer) error {
	_, err := s.DB.Exec(ctx, closeFeedStmt, v.UserID)
	return err
}

var feedOwnerStmt = db.SQL("calendar.feed_owner", `
	SELECT f.user_id FROM calendar_feeds f JOIN users u ON u.id = f.user_id WHERE f.seed = $1 AND u.suspended_at IS NULL`)

// ReadFeed returns the calendar of a feed in iCalendar format. It returns
// domain.NotFound if the secret is wrong or no longer valid.
func (s *Service) ReadFeed(ctx context.Context, secret string) (calendar []byte, err error) {
	seed, ok := s.Feeds.seedOf(secret)
	if !ok {
		return nil, domain.NotFound
	}
	var items []item
	err = s.DB.Read(ctx, func(q db.Querier) error {
		var owner domain.UserID
		if err := q.One(ctx, feedOwnerStmt, seed).ScanOr(domain.NotFound, &owner); err != nil {
			return err
		}
		items, err = db.All(ctx, q, scanItem, feedItemsStmt, owner, s.Clock.Now().Add(-feedHistory))
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.Feeds.write(items, "Moothall"), nil
}

// EventCalendar returns one event in iCalendar format as the viewer sees it. It
// returns domain.NotFound if the event is unknown or hidden.
func (s *Service) EventCalendar(ctx context.Context, v domain.Viewer, id domain.EventID) ([]byte, error) {
	var i item
	var changes [4]*time.Time
	if err := s.DB.One(ctx, eventItemStmt, v.UserID, id).ScanOr(domain.NotFound, i.columns(&changes)...); err != nil {
		return nil, err
	}
	i.setUpdatedAt(changes)
	return s.Feeds.write([]item{i}, ""), nil
}

// item is an entry with the fields that only iCalendar has.
type item struct {
	Entry
	sequence    int64
	description *string
	conference  *string // nil unless the viewer may see the link, see itemOfEvent
	category    *string
	city        *string
	lat, lng    *float64
}

// The additional columns of an item. The conference link is for the organizer,
// participants and invitees who accepted, as in the details of an event.
const (
	itemColumns = `, sequence, description, conference, category, city, lat, lng`

	itemOfEntry = `, c.sequence%s, CAST(NULL AS TEXT)%s, CAST(NULL AS TEXT)%s, CAST(NULL AS TEXT)%s, CAST(NULL AS TEXT)%s,
		CAST(NULL AS DOUBLE PRECISION)%s, CAST(NULL AS DOUBLE PRECISION)%s`

	itemOfEvent = `, e.sequence, e.description,
		CASE WHEN e.organizer_id = $1 OR p.status = 'going' OR i.status = 'accepted' THEN e.conference_url END, e.category, e.city, e.lat, e.lng`
)

var (
	namedItem   = fmt.Sprintf(itemOfEntry, " AS sequence", " AS description", " AS conference", " AS category", " AS city", " AS lat", " AS lng")
	unnamedItem = fmt.Sprintf(itemOfEntry, "", "", "", "", "", "", "")

	feedItemsStmt = db.SQL("calendar.feed_items", `
		SELECT `+entryColumns+itemColumns+` FROM (`+calendarSQL(namedItem, unnamedItem, itemOfEvent)+`) AS u
		WHERE u.own_status <> 'canceled' AND u.over_at >= $2 ORDER BY u.starts_at, u.id LIMIT 2000`)

	eventItemStmt = db.SQL("calendar.event_item", eventItemSQL(``))
)

// eventItemSQL reads the item of the event $2 if the user $1 sees it. more are further columns
// of the event e, the participation p and the invitation i.
func eventItemSQL(more string) string {
	return `
		SELECT e.id, 'event', e.id, e.title, e.starts_at, e.ends_at, e.over_at, e.timezone, FALSE, e.location_text, CAST(NULL AS TEXT),
			CASE WHEN e.status = 'draft' OR e.date_mode = 'vote' AND e.selected_date_option_id IS NULL THEN 'tentative' ELSE 'confirmed' END,
			e.status = 'canceled', e.created_at, e.updated_at, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)` + itemOfEvent + more + `
		FROM events e
		LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = $1
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = $1
		WHERE e.id = $2 AND ` + access.SeesEvent("e", "$1")
}

func (i *item) columns(changes *[4]*time.Time) []any {
	return append(i.Entry.columns(changes), &i.sequence, &i.description, &i.conference, &i.category, &i.city, &i.lat, &i.lng)
}

func scanItem(row db.Row, i *item) error {
	var changes [4]*time.Time
	if err := row.Scan(i.columns(&changes)...); err != nil {
		return err
	}
	i.setUpdatedAt(changes)
	return nil
}
