package event

import (
	"errors"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// Fields are the fields that an organizer sets (contract §4.3). Times are
// UTC, StartsAt is a whole second, PriceAmount is in minor units.
type Fields struct {
	Visibility    access.Visibility
	Title         string
	Description   *string
	Category      *string
	StartsAt      time.Time
	EndsAt        *time.Time
	Timezone      string
	Capacity      *int64
	PriceAmount   *int64
	PriceCurrency *string
	City          *string
	LocationText  *string
	Lat, Lng      *float64
	ImageURL      *string
	ImageAlt      *string // alternative text
	ConferenceURL *string
	Theme         *string // one of Themes
	DateMode      string
	Price         string
	MaxPartySize  int64 // how many people may come with one participation
	Waitlist      string
	OfferMinutes  int64 // how long seats are offered to an entry of the waiting list
	JoinPolicy    string
	Group         *domain.GroupID // nil: none
}

// The values of date_mode and price.
const (
	DateFixed = "fixed"
	DateVote  = "vote"
	Free      = "free"
	Paid      = "paid"
)

// fieldColumns have the names of the contract's properties. Requests, details, changes and
// exports have the fields by these names, exports in this order.
var fieldColumns = db.Bindings[Fields]{
	db.Bind("visibility", func(f *Fields) any { return &f.Visibility }),
	db.Bind("title", func(f *Fields) any { return &f.Title }),
	db.Bind("description", func(f *Fields) any { return &f.Description }),
	db.Bind("category", func(f *Fields) any { return &f.Category }),
	db.Bind("starts_at", func(f *Fields) any { return &f.StartsAt }),
	db.Bind("ends_at", func(f *Fields) any { return &f.EndsAt }),
	db.Bind("timezone", func(f *Fields) any { return &f.Timezone }),
	db.Bind("capacity", func(f *Fields) any { return &f.Capacity }),
	db.Bind("price_amount", func(f *Fields) any { return &f.PriceAmount }),
	db.Bind("price_currency", func(f *Fields) any { return &f.PriceCurrency }),
	db.Bind("city", func(f *Fields) any { return &f.City }),
	db.Bind("location_text", func(f *Fields) any { return &f.LocationText }),
	db.Bind("lat", func(f *Fields) any { return &f.Lat }),
	db.Bind("lng", func(f *Fields) any { return &f.Lng }),
	db.Bind("image_url", func(f *Fields) any { return &f.ImageURL }),
	db.Bind("image_alt", func(f *Fields) any { return &f.ImageAlt }),
	db.Bind("conference_url", func(f *Fields) any { return &f.ConferenceURL }),
	db.Bind("theme", func(f *Fields) any { return &f.Theme }),
	db.Bind("date_mode", func(f *Fields) any { return &f.DateMode }),
	db.Bind("price", func(f *Fields) any { return &f.Price }),
	db.Bind("max_party_size", func(f *Fields) any { return &f.MaxPartySize }),
	db.Bind("waitlist", func(f *Fields) any { return &f.Waitlist }),
	db.Bind("waitlist_offer_minutes", func(f *Fields) any { return &f.OfferMinutes }),
	db.Bind("join_policy", func(f *Fields) any { return &f.JoinPolicy }),
	db.Bind("group_id", func(f *Fields) any { return &f.Group }),
}

type textCleaner struct {
	column string
	clean  text.Cleaner
}

// textCleaners clean the texts of requests. Rules.complete checks the other fields.
var textCleaners = []textCleaner{
	{"title", text.Line(1, 120)},
	{"description", text.Block(0, 10000)},
	{"category", text.Line(1, 80)},
	{"city", text.Line(1, 200)},
	{"location_text", text.Line(1, 300)},
	{"image_url", text.HTTPSURL},
	{"image_alt", text.Line(1, 300)},
	{"conference_url", text.HTTPSURL},
	{"theme", knownTheme},
}

// Themes are the values of theme, in the order of their hues.
var Themes = []string{"cherry", "coral", "amber", "honey", "meadow", "mint", "teal", "sky", "blue", "violet", "orchid", "rose"}

func knownTheme(s string) (string, error) {
	if !slices.Contains(Themes, s) {
		return "", errors.New("must be one of these: " + strings.Join(Themes, ", "))
	}
	return s, nil
}
