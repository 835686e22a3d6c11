// Package event is the room of events: their life from draft to completed,
// and how people find them by list, place, text and map (specification §4.5).
package event

import (
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/user"
)

// Fields are what an organizer says about an event (contract §4.3). Times are
// UTC, StartsAt is a whole second, PriceAmount is in minor units.
type Fields struct {
	Title         string
	Description   *string
	Category      *string
	StartsAt      time.Time
	EndsAt        *time.Time
	Timezone      string
	Visibility    access.Visibility
	DateMode      string
	Price         string
	PriceAmount   *int64
	PriceCurrency *string
	Capacity      *int64
	City          *string
	LocationText  *string
	Lat, Lng      *float64
	ImageURL      *string
	ConferenceURL *string
}

// The values of date_mode and price.
const (
	DateFixed = "fixed"
	DateVote  = "vote"
	Free      = "free"
	Paid      = "paid"
)

// Event is one stored event.
type Event struct {
	Fields
	ID                   domain.EventID
	OrganizerID          domain.UserID
	Status               access.Status // effective
	StartsKey            int64
	SelectedDateOptionID *domain.DateOptionID
	Listed               bool
	CreatedAt, UpdatedAt time.Time
	PublishedAt          *time.Time
	CanceledAt           *time.Time
}

// Card is an event as lists show it to one viewer (contract §4.1).
type Card struct {
	ID               domain.EventID
	StartsKey        int64
	Title            string
	StartsAt         time.Time
	EndsAt           *time.Time
	Timezone         string
	Status           access.Status
	Category         *string
	Price            string
	PriceAmount      *int64
	PriceCurrency    *string
	Visibility       access.Visibility
	DateMode         string
	OrganizerID      domain.UserID
	City             *string
	Lat, Lng         *float64
	ImageURL         *string
	ParticipantCount int64
	ViewerGoing      bool
	Organizer        *user.Public
}

// usualLength is how long an event without an end is taken to last, and
// longest how long one may last (contract §4.3).
const (
	usualLength = 3 * time.Hour
	longest     = 31 * 24 * time.Hour
)

// overAt is the moment from which a published event counts as completed
// (contract §4.5). While its date is still voted on it is not over before the
// usual length has passed.
func overAt(f Fields, selected bool) time.Time {
	usual := f.StartsAt.Add(usualLength)
	if f.EndsAt == nil || f.DateMode == DateVote && !selected && f.EndsAt.Before(usual) {
		return usual
	}
	return *f.EndsAt
}

// OverAt is the moment from which the event, once published, is completed.
func (e Event) OverAt() time.Time { return overAt(e.Fields, e.SelectedDateOptionID != nil) }

// moved reports whether people who come have to know of the change: time or
// place differ (contract §4.4).
func moved(a, b Fields) bool {
	return !a.StartsAt.Equal(b.StartsAt) || !sameTime(a.EndsAt, b.EndsAt) || a.Timezone != b.Timezone ||
		!same(a.City, b.City) || !same(a.LocationText, b.LocationText) ||
		!same(a.Lat, b.Lat) || !same(a.Lng, b.Lng) || !same(a.ConferenceURL, b.ConferenceURL)
}

// equal reports whether nothing differs.
func (a Fields) equal(b Fields) bool {
	return !moved(a, b) && a.Title == b.Title && same(a.Description, b.Description) && same(a.Category, b.Category) &&
		a.Visibility == b.Visibility && a.DateMode == b.DateMode && samePrice(a, b) && same(a.Capacity, b.Capacity) && same(a.ImageURL, b.ImageURL)
}

func samePrice(a, b Fields) bool {
	return a.Price == b.Price && same(a.PriceAmount, b.PriceAmount) && same(a.PriceCurrency, b.PriceCurrency)
}

func same[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}
