package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// ListedCards is the cache of the cards of listed events by their starts_key. Other
// events have none. A card may be of an event that is over.
type ListedCards = cache.Entries[int64, *ListedCard]

// ListedCard is the card of a listed event as every viewer sees it, also encoded, with the
// fields that decide who finds it.
type ListedCard struct {
	ID                  domain.EventID
	StartsKey           int64
	OrganizerID         domain.UserID
	OverAt, PublishedAt time.Time
	Lat, Lng            *float64
	City, Category      int64 // ids of terms (see postings.TermID); 0: none
	Paid, Pictured      bool
	GroupID             *domain.GroupID // nil: none
	Group               *GroupRef       // nil: none, or not public
	ParticipantCount    int64
	SeatsLeft           *int64 // nil: unlimited

	objects cardObjects
}

// Entities implements cache.Value.
func (c *ListedCard) Entities() []db.Entity {
	if c.GroupID == nil {
		return []db.Entity{Content.Of(c.ID), Attendance.Of(c.ID)}
	}
	return []db.Entity{Content.Of(c.ID), Attendance.Of(c.ID), Group.Of(*c.GroupID)}
}

// Bytes implements cache.Value.
func (c *ListedCard) Bytes() int {
	return 900 + 2*(len(c.objects.eventJSON)+len(c.objects.locationJSON))
}

// listedShare is the share of the memory of all caches.
const listedShare = 0.30

var listedStmt = db.SQL("event.listed", `
	SELECT e.id, e.code, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, e.status, e.category, e.price, e.price_amount,
		e.price_currency,
		e.visibility, e.date_mode, e.organizer_id, e.city, e.lat, e.lng, e.image_url, e.image_alt, e.source_host, e.external_url, e.capacity,
			`+seatCounts+`, e.over_at,
			e.published_at, e.group_id, `+groupColumns+`
	FROM ints($1) AS l CROSS JOIN events e`+groupJoin(access.Anonymous)+` WHERE e.starts_key = l.value AND e.listed`)

// NewListedCards returns a cache of the cards in a database, with addresses of these pages. m may be nil.
func NewListedCards(m *cache.Memory, d *db.DB, pages address.Pages) *ListedCards {
	return cache.NewEntries(m, "cards", listedShare, cache.NumberKey, func(ctx context.Context, keys []int64) (map[int64]*ListedCard, error) {
		cards := make(map[int64]*ListedCard, len(keys))
		for row, err := range d.Query(ctx, listedStmt, keys) {
			if err != nil {
				return nil, err
			}
			c, err := scanListed(row, pages)
			if err != nil {
				return nil, err
			}
			cards[c.StartsKey] = c
		}
		return cards, nil
	})
}

func scanListed(row db.Row, pages address.Pages) (*ListedCard, error) {
	var c Card
	var overAt, publishedAt time.Time
	var groupID *domain.GroupID
	var group groupDest
	err := row.Scan(append([]any{&c.ID, &c.Code, &c.StartsKey, &c.Title, &c.StartsAt, &c.EndsAt, &c.Timezone, &c.Status, &c.Category, &c.Price,
		&c.PriceAmount, &c.PriceCurrency,
		&c.Visibility, &c.DateMode, &c.OrganizerID, &c.City, &c.Lat, &c.Lng, &c.ImageURL, &c.ImageAlt, &c.SourceHost, &c.ExternalURL,
		&c.Capacity, &c.ParticipantCount, &c.UsedSeats, &overAt, &publishedAt, &groupID}, group.dest()...)...)
	if err != nil {
		return nil, err
	}
	c.Group = group.ref()
	listed := &ListedCard{
		objects: c.objects(pages), ID: c.ID, StartsKey: c.StartsKey, OrganizerID: c.OrganizerID,
		OverAt: overAt, PublishedAt: publishedAt, GroupID: groupID, Group: c.Group, Lat: c.Lat, Lng: c.Lng,
		Paid: c.Price == Paid, Pictured: c.ImageURL != nil,
		ParticipantCount: c.ParticipantCount, SeatsLeft: seatsLeft(c.Capacity, c.UsedSeats),
	}
	if c.City != nil {
		listed.City = postings.TermID(postings.CityTerm(*c.City))
	}
	if c.Category != nil {
		listed.Category = postings.TermID(postings.CategoryTerm(*c.Category))
	}
	return listed, nil
}
