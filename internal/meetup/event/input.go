package event

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/text"
)

// Input is the body of a create or update request (contract §4.3, §4.4). A field
// that was not sent keeps its value.
type Input struct {
	Title         domain.Opt[string]
	Description   domain.Opt[string]
	Category      domain.Opt[string]
	StartsAt      domain.Opt[time.Time]
	EndsAt        domain.Opt[time.Time]
	Timezone      domain.Opt[string]
	Visibility    domain.Opt[access.Visibility]
	DateMode      domain.Opt[string]
	Price         domain.Opt[string]
	PriceAmount   domain.Opt[int64]
	PriceCurrency domain.Opt[string]
	Capacity      domain.Opt[int64]
	City          domain.Opt[string]
	LocationText  domain.Opt[string]
	Lat, Lng      domain.Opt[float64]
	ImageURL      domain.Opt[string]
	ImageAlt      domain.Opt[string]
	ConferenceURL domain.Opt[string]
}

// Rules are the settings for the fields of events.
type Rules struct {
	Currencies      []string // ISO 4217, for paid events
	DefaultTimezone string   // for events without coordinates and zone
}

// mergeNew is merge for a new event.
func (r Rules) mergeNew(in Input) (Fields, error) {
	return r.merge(Fields{Visibility: access.Public, DateMode: DateFixed, Price: Free}, in)
}

// mergeChange is merge for an update, which cannot change the date mode.
func (r Rules) mergeChange(f Fields, in Input) (Fields, error) {
	var wrong domain.Problems
	if in.DateMode.Sent {
		wrong.Add("/date_mode", "must be absent: PATCH /events/{event_id}/date-mode changes it")
	}
	f, err := r.merge(f, in)
	wrong.AddAll(err)
	return f, wrong.Err()
}

// merge applies the input to the fields, validates the result as a whole and
// returns all invalid fields in one error.
func (r Rules) merge(f Fields, in Input) (Fields, error) {
	var wrong domain.Problems
	text.Clean(&wrong, "/title", &in.Title.Value, text.Line(1, 120))
	text.Clean(&wrong, "/description", &in.Description.Value, text.Block(0, 10000))
	text.Clean(&wrong, "/category", &in.Category.Value, text.Line(1, 80))
	text.Clean(&wrong, "/city", &in.City.Value, text.Line(1, 200))
	text.Clean(&wrong, "/location_text", &in.LocationText.Value, text.Line(1, 300))
	text.Clean(&wrong, "/image_url", &in.ImageURL.Value, text.HTTPSURL)
	text.Clean(&wrong, "/image_alt", &in.ImageAlt.Value, text.Line(1, 300))
	text.Clean(&wrong, "/conference_url", &in.ConferenceURL.Value, text.HTTPSURL)
	in.Title.Set(&f.Title)
	in.Description.SetOrClear(&f.Description)
	in.Category.SetOrClear(&f.Category)
	in.City.SetOrClear(&f.City)
	in.LocationText.SetOrClear(&f.LocationText)
	in.ImageURL.SetOrClear(&f.ImageURL)
	in.ImageAlt.SetOrClear(&f.ImageAlt)
	in.ConferenceURL.SetOrClear(&f.ConferenceURL)
	in.Visibility.Set(&f.Visibility)
	in.DateMode.Set(&f.DateMode)
	in.Capacity.SetOrClear(&f.Capacity)
	mergePlace(&wrong, in, &f)
	mergeTimes(&wrong, in, &f)
	r.mergePrice(&wrong, in, &f)
	r.mergeZone(&wrong, in, &f)
	return f, wrong.Err()
}

func mergePlace(wrong *domain.Problems, in Input, f *Fields) {
	in.Lat.SetOrClear(&f.Lat)
	in.Lng.SetOrClear(&f.Lng)
	if (f.Lat == nil) != (f.Lng == nil) {
		missing := "/lat"
		if f.Lng == nil {
			missing = "/lng"
		}
		wrong.Add(missing, "must be present if the other coordinate is")
	}
	for _, c := range []struct {
		pointer string
		value   *float64
	}{{"/lat", f.Lat}, {"/lng", f.Lng}} {
		if c.value != nil && (math.IsNaN(*c.value) || math.IsInf(*c.value, 0)) {
			wrong.Add(c.pointer, "must be a finite number")
		}
	}
}

func mergeTimes(wrong *domain.Problems, in Input, f *Fields) {
	in.StartsAt.Set(&f.StartsAt)
	in.EndsAt.SetOrClear(&f.EndsAt)
	f.StartsAt, f.EndsAt = Times(wrong, f.StartsAt, f.EndsAt)
}

// Times returns a start and an end as events store them: UTC, whole seconds. It reports
// an end that is not after the start, or more than 31 days after it (contract §4.3).
func Times(wrong *domain.Problems, start time.Time, end *time.Time) (from time.Time, to *time.Time) {
	from = start.UTC().Truncate(time.Second)
	if end != nil {
		to = new(end.UTC().Truncate(time.Second))
		if length := to.Sub(from); length <= 0 || length > maxLength {
			wrong.Add("/ends_at", "must be later than starts_at, by at most 31 days", "/starts_at")
		}
	}
	return from, to
}

func (r Rules) mergePrice(wrong *domain.Problems, in Input, f *Fields) {
	becameFree := in.Price.Set(&f.Price) && f.Price == Free
	if becameFree {
		f.PriceAmount, f.PriceCurrency = nil, nil
	}
	in.PriceAmount.SetOrClear(&f.PriceAmount)
	in.PriceCurrency.SetOrClear(&f.PriceCurrency)
	if f.Price == Free {
		if f.PriceAmount != nil {
			wrong.Add("/price_amount", "must be absent for a free event", "/price")
		}
		if f.PriceCurrency != nil {
			wrong.Add("/price_currency", "must be absent for a free event", "/price")
		}
		return
	}
	if f.PriceAmount == nil || *f.PriceAmount < 1 || *f.PriceAmount > 100_000_000 {
		wrong.Add("/price_amount", "must be 1 to 100000000 minor units for a paid event")
	}
	// A stored currency stays valid when the setting changes.
	if f.PriceCurrency == nil || in.PriceCurrency.Sent && !slices.Contains(r.Currencies, *f.PriceCurrency) {
		wrong.Add("/price_currency", "must be one of these for a paid event: "+strings.Join(r.Currencies, ", "))
	}
}

func (r Rules) mergeZone(wrong *domain.Problems, in Input, f *Fields) {
	if in.Timezone.Set(&f.Timezone) {
		if !KnownZone(f.Timezone) {
			wrong.Add("/timezone", "must be an IANA zone with a place, such as Europe/Moscow")
		}
		return
	}
	if f.Timezone == "" {
		f.Timezone = zoneAt(f.Lat, f.Lng, r.DefaultTimezone)
	}
}

// notPlaces matches names that time.LoadLocation accepts but that are not the zone
// of a place: the machine's own zone, fixed offsets and variants of some systems.
var notPlaces = regexp.MustCompile(`^(|Local|localtime|Factory|posixrules|(Etc|posix|right)/.*|EST|MST|HST|GMT.*|Greenwich|UCT|Universal|Zulu)$`)

// KnownZone reports whether the name is an IANA zone of a place (contract §0).
func KnownZone(name string) bool {
	if notPlaces.MatchString(name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// zoneAt returns the zone at a point, or the fallback when there is no point or no zone
// of land.
func zoneAt(lat, lng *float64, fallback string) string {
	if lat == nil || lng == nil {
		return fallback
	}
	if name := geo.ZoneAt(*lat, *lng); KnownZone(name) {
		return name
	}
	return fallback
}
