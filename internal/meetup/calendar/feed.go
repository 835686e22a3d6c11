package calendar

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/seal"
)

// FeedOptions are the settings of calendar feeds.
type FeedOptions struct {
	Keys    seal.Keys // make the secrets; the same on all instances
	BaseURL string    // of the API
	Pages   address.Pages
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

// purpose separates this use of the key of the service from others.
const purpose = "calendar feed"

// feedRow is what is stored of an address.
type feedRow struct {
	seed   []byte // finds the row: random, or the hash of a sealed secret
	sealed []byte // nil: the key derives the secret from the seed
}

// newRow returns a row with a new secret. While the key of the service has a predecessor, it seals the secret.
func (o FeedOptions) newRow() feedRow {
	secret := make([]byte, 2*seedSize)
	_, _ = rand.Read(secret) // never fails
	if len(o.Keys.Previous) > 0 {
		return o.seal(secret)
	}
	return feedRow{seed: secret[:seedSize]}
}

func (o FeedOptions) seal(secret []byte) feedRow {
	return feedRow{seed: hashOf(secret), sealed: o.Keys.Seal(purpose, secret)}
}

// hashOf returns the seed of a row with a sealed secret.
func hashOf(secret []byte) []byte {
	sum := sha256.Sum256(secret)
	return sum[:seedSize]
}

// secret returns the secret of a feed. If it is not sealed, it is the seed and an HMAC of the seed. Neither the database
// nor the key alone gives access to a calendar.
func (o FeedOptions) secret(row feedRow) ([]byte, error) {
	if row.sealed != nil {
		return o.Keys.Open(purpose, row.sealed)
	}
	return append(slices.Clone(row.seed), o.Keys.Derive(purpose, row.seed)[:seedSize]...), nil
}

func (o FeedOptions) feed(row feedRow, at time.Time) (Feed, error) {
	secret, err := o.secret(row)
	return Feed{URL: o.BaseURL + "/calendar/feeds/" + base64.RawURLEncoding.EncodeToString(secret) + ".ics", CreatedAt: at}, err
}

var feedStmt = db.SQL("calendar.feed", `SELECT seed, sealed, created_at FROM calendar_feeds WHERE user_id = $1`)

// Feed returns the viewer's feed. It returns domain.NotFound if there is none.
func (s *Service) Feed(ctx context.Context, v domain.Viewer) (Feed, error) {
	var row feedRow
	var at time.Time
	if err := s.DB.One(ctx, feedStmt, v.UserID).ScanOr(domain.NotFound, &row.seed, &row.sealed, &at); err != nil {
		return Feed{}, err
	}
	return s.Feeds.feed(row, at)
}

var openFeedStmt = db.SQL("calendar.open_feed", `
	INSERT INTO calendar_feeds (user_id, seed, sealed, created_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (user_id) DO UPDATE SET seed = excluded.seed, sealed = excluded.sealed, created_at = excluded.created_at`)

// OpenFeed creates a new address for the viewer's calendar. The previous address
// stops working.
func (s *Service) OpenFeed(ctx context.Context, v domain.Viewer) (Feed, error) {
	now := s.Clock.Now()
	row := s.Feeds.newRow()
	opened := struct {
		Seed, Sealed []byte
		At           time.Time
	}{row.seed, row.sealed, now}
	err := idempotency.InTx(ctx, s.DB, now, &opened, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, openFeedStmt, v.UserID, opened.Seed, opened.Sealed, now)
		return err
	})
	if err != nil {
		return Feed{}, err
	}
	return s.Feeds.feed(feedRow{opened.Seed, opened.Sealed}, opened.At)
}

var closeFeedStmt = db.SQL("calendar.close_feed", `DELETE FROM calendar_feeds WHERE user_id = $1`)

// CloseFeed deletes the viewer's feed, if there is one.
func (s *Service) CloseFeed(ctx context.Context, v domain.Viewer) error {
	_, err := s.DB.Exec(ctx, closeFeedStmt, v.UserID)
	return err
}

var feedOwnerStmt = db.SQL("calendar.feed_owner", `
	SELECT f.user_id, f.seed, f.sealed FROM calendar_feeds f JOIN users u ON u.id = f.user_id
	WHERE (f.seed = $1 OR f.seed = $2) AND u.suspended_at IS NULL`)

// feedOwner returns the user to whose calendar a secret gives access, or domain.NotFound.
func (s *Service) feedOwner(ctx context.Context, q db.Querier, secret []byte) (owner domain.UserID, err error) {
	var row feedRow
	if err := q.One(ctx, feedOwnerStmt, secret[:seedSize], hashOf(secret)).ScanOr(domain.NotFound, &owner, &row.seed,
		&row.sealed); err != nil {
		return owner, err
	}
	right, err := s.Feeds.secret(row)
	if err == nil && !hmac.Equal(right, secret) {
		err = domain.NotFound
	}
	return owner, err
}

// ReadFeed returns the calendar of a feed in iCalendar format. It returns
// domain.NotFound if the secret is wrong or no longer valid.
func (s *Service) ReadFeed(ctx context.Context, secret string) (calendar []byte, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(raw) != 2*seedSize {
		return nil, domain.NotFound
	}
	var items []item
	err = s.DB.Read(ctx, func(q db.Querier) error {
		owner, err := s.feedOwner(ctx, q, raw)
		if err != nil {
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
	code        *string // of the address of the event
	private     bool
}

// address returns what the address of the page of the event depends on.
func (i item) address() address.Event {
	return address.Event{ID: *i.EventID, Code: i.code, Title: i.Title, Private: i.private}
}

// The additional columns of an item. The conference link is for the organizer,
// participants and invitees who accepted, as in the details of an event.
var (
	itemColumns = `, sequence, description, conference, category, city, lat, lng, code, private`

	itemOfEntry = `, c.sequence%s, CAST(NULL AS TEXT)%s, CAST(NULL AS TEXT)%s, CAST(NULL AS TEXT)%s, CAST(NULL AS TEXT)%s,
		CAST(NULL AS DOUBLE PRECISION)%s, CAST(NULL AS DOUBLE PRECISION)%s, CAST(NULL AS TEXT)%s, FALSE%s`

	itemOfEvent = `, e.sequence, e.description,
		CASE WHEN ` + hosts + ` OR p.status = 'going' OR i.status = 'accepted' THEN e.conference_url END, e.category, e.city, e.lat, e.lng,
		e.code, e.visibility <> 'public'`
)

var (
	namedItem = fmt.Sprintf(itemOfEntry, " AS sequence", " AS description", " AS conference", " AS category", " AS city", " AS lat",
		" AS lng", " AS code", " AS private")
	unnamedItem = fmt.Sprintf(itemOfEntry, "", "", "", "", "", "", "", "", "")

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
			e.status = 'canceled', e.created_at, e.updated_at, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)` + itemOfEvent +
		more + `
		FROM events e
		LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = $1
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = $1
		WHERE e.id = $2 AND ` + access.SeesEvent("e", "$1")
}

func (i *item) columns(changes *[4]*time.Time) []any {
	return append(i.Entry.columns(changes), &i.sequence, &i.description, &i.conference, &i.category, &i.city, &i.lat, &i.lng, &i.code,
		&i.private)
}

func scanItem(row db.Row, i *item) error {
	var changes [4]*time.Time
	if err := row.Scan(i.columns(&changes)...); err != nil {
		return err
	}
	i.setUpdatedAt(changes)
	return nil
}
