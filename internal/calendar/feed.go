package calendar

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// FeedOptions are what calendars for programs need from their surroundings.
type FeedOptions struct {
	Key       []byte // makes the secrets; the same on all instances
	BaseURL   string // of the API
	WebOrigin string // where pages of events are
}

// Feed is the address under which calendar programs read somebody's calendar,
// everything in it and notes included. Whoever knows it can read it.
type Feed struct {
	URL       string
	CreatedAt time.Time
}

// feedReach is how far back a feed reaches. It has at most 2000 entries, those
// that begin first.
const feedReach = 90 * 24 * time.Hour

const seedSize = 16

// secret is what stands in the address of a feed: the seed, by which it is
// found, and what only the key makes of it. Neither the database nor the key
// alone opens a calendar.
func (o FeedOptions) secret(seed []byte) string {
	mac := hmac.New(sha256.New, o.Key)
	mac.Write([]byte("calendar feed\x00")) // the key serves other purposes too
	mac.Write(seed)
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{}, seed...), mac.Sum(nil)[:seedSize]...))
}

// seedOf gives the seed of a secret that the key has made.
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

// Feed gives the viewer's feed; domain.NotFound when they have none.
func (s *Service) Feed(ctx context.Context, v domain.Viewer) (Feed, error) {
	var seed []byte
	var at time.Time
	err := s.DB.One(ctx, feedStmt, v.UserID).Scan(&seed, &at)
	if errors.Is(err, db.ErrNoRow) {
		return Feed{}, domain.NotFound
	}
	if err != nil {
		return Feed{}, fmt.Errorf("calendar.feed: %w", err)
	}
	return s.Feeds.feed(seed, at), nil
}

var openFeedStmt = db.SQL("calendar.open_feed", `
	INSERT INTO calendar_feeds (user_id, seed, created_at) VALUES ($1, $2, $3)
	ON CONFLICT (user_id) DO UPDATE SET seed = excluded.seed, created_at = excluded.created_at`)

// OpenFeed gives the viewer's calendar a new address; an earlier one ends.
func (s *Service) OpenFeed(ctx context.Context, v domain.Viewer) (Feed, error) {
	now := s.Clock.Now()
	seed := make([]byte, seedSize)
	_, _ = rand.Read(seed) // never fails: it would end the process
	if _, err := s.DB.Exec(ctx, openFeedStmt, v.UserID, seed, now); err != nil {
		return Feed{}, fmt.Errorf("calendar.open_feed: %w", err)
	}
	return s.Feeds.feed(seed, now), nil
}

var closeFeedStmt = db.SQL("calendar.close_feed", `DELETE FROM calendar_feeds WHERE user_id = $1`)

// CloseFeed ends the address of the viewer's calendar, if it has one.
func (s *Service) CloseFeed(ctx context.Context, v domain.Viewer) error {
	if _, err := s.DB.Exec(ctx, closeFeedStmt, v.UserID); err != nil {
		return fmt.Errorf("calendar.close_feed: %w", err)
	}
	return nil
}

var feedOwnerStmt = db.SQL("calendar.feed_owner", `
	SELECT f.user_id FROM calendar_feeds f JOIN users u ON u.id = f.user_id WHERE f.seed = $1 AND u.suspended_at IS NULL`)

// ReadFeed gives the calendar of a feed as iCalendar; domain.NotFound when the
// secret is wrong or the address has ended.
func (s *Service) ReadFeed(ctx context.Context, secret string) (calendar []byte, err error) {
	seed, ok := s.Feeds.seedOf(secret)
	if !ok {
		return nil, domain.NotFound
	}
	var items []item
	err = s.DB.Read(ctx, func(q db.Querier) error {
		var owner domain.UserID
		if err := q.One(ctx, feedOwnerStmt, seed).Scan(&owner); err != nil {
			return err
		}
		items, err = db.All(ctx, q, scanItem, feedItemsStmt, owner, s.Clock.Now().Add(-feedReach))
		return err
	})
	if errors.Is(err, db.ErrNoRow) {
		return nil, domain.NotFound
	}
	if err != nil {
		return nil, fmt.Errorf("calendar.read_feed: %w", err)
	}
	return s.Feeds.write(items, "Moothall"), nil
}

// EventCalendar gives one event as iCalendar, as the viewer sees it;
// domain.NotFound when it is unknown or hidden.
func (s *Service) EventCalendar(ctx context.Context, v domain.Viewer, id domain.EventID) ([]byte, error) {
	var i item
	err := scanItem(s.DB.One(ctx, eventItemStmt, v.UserID, id), &i)
	if errors.Is(err, db.ErrNoRow) {
		return nil, domain.NotFound
	}
	if err != nil {
		return nil, fmt.Errorf("calendar.event %s: %w", id, err)
	}
	return s.Feeds.write([]item{i}, ""), nil
}

// item is an entry with what only calendar programs are told.
type item struct {
	Entry
	sequence    int64
	description *string
	conference  *string // only for people who come
	category    *string
	city        *string
	lat, lng    *float64
}

// More columns of each kind. How to come in online is for the organizer and
// people who come, as on the event's page.
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
		SELECT `+entryColumns+itemColumns+` FROM (`+everything(namedItem, unnamedItem, itemOfEvent)+`) AS u
		WHERE u.part <> 'canceled' AND u.over_at >= $2 ORDER BY u.starts_at, u.id LIMIT 2000`)

	eventItemStmt = db.SQL("calendar.event_item", `
		SELECT e.id, 'event', e.id, e.title, e.starts_at, e.ends_at, e.over_at, e.timezone, FALSE, e.location_text, CAST(NULL AS TEXT),
			CASE WHEN e.status = 'draft' OR e.date_mode = 'vote' AND e.selected_date_option_id IS NULL THEN 'tentative' ELSE 'confirmed' END,
			e.status = 'canceled', e.created_at, e.updated_at, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)`+itemOfEvent+`
		FROM events e
		LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = $1
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = $1
		WHERE e.id = $2 AND `+access.SeesEvent("e", "$1"))
)

func scanItem(row db.Row, i *item) error {
	var changes [4]*time.Time
	if err := row.Scan(append(i.columns(&changes), &i.sequence, &i.description, &i.conference, &i.category, &i.city, &i.lat, &i.lng)...); err != nil {
		return err
	}
	i.settle(changes)
	return nil
}
