package event

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/text"
)

// Input is the body of a create or update request (contract §4.3, §4.4).
type Input interface {
	// Apply sets the fields that were sent, and returns the names of their columns, and "untitled" if a new event may
	// lack a title.
	Apply(f *Fields) (sent map[string]bool)
}

// Apply implements Input for callers in Go: the fields that are not zero are sent.
func (f Fields) Apply(to *Fields) map[string]bool {
	sent := map[string]bool{}
	for _, c := range fieldColumns {
		if value := reflect.ValueOf(c.Var(&f)).Elem(); !value.IsZero() {
			reflect.ValueOf(c.Var(to)).Elem().Set(value)
			sent[c.Column] = true
		}
	}
	return sent
}

// Rules are the settings for the fields of events.
type Rules struct {
	Currencies      []string // ISO 4217, for paid events
	DefaultTimezone string   // for events without coordinates and zone
}

// mergeNew returns the fields of a new event, or all invalid fields in one error.
func (r Rules) mergeNew(in Input) (Fields, error) {
	var wrong domain.Problems
	f := Fields{Visibility: access.Public, DateMode: DateFixed, Price: Free, MaxPartySize: 1, Waitlist: WaitlistOff,
		OfferMinutes: DefaultOfferMinutes, JoinPolicy: JoinOpen}
	sent := in.Apply(&f)
	if !sent["title"] && !sent[untitled] {
		wrong.Add("/title", "must be present")
	}
	r.complete(&wrong, &f, sent)
	return f, wrong.Err()
}

// Check returns the refusal of Create for a new event.
func (r Rules) Check(in Input) error {
	_, err := r.mergeNew(in)
	return err
}

// mergeChange is mergeNew for an update, which cannot change the date mode.
func (r Rules) mergeChange(f Fields, in Input) (Fields, error) {
	var wrong domain.Problems
	sent := in.Apply(&f)
	if sent["date_mode"] {
		wrong.Add("/date_mode", "must be absent: PATCH /events/{event_id}/date-mode changes it")
	}
	r.complete(&wrong, &f, sent)
	return f, wrong.Err()
}

// complete cleans the fields that were sent, sets those that follow from them and
// validates all together.
func (r Rules) complete(wrong *domain.Problems, f *Fields, sent map[string]bool) {
	cleanTexts(wrong, f, sent)
	CheckPoint(wrong, f.Lat, f.Lng)
	f.StartsAt, f.EndsAt = Times(wrong, f.StartsAt, f.EndsAt)
	r.completePrice(wrong, f, sent)
	if f.Price == Paid && f.MaxPartySize > 1 {
		wrong.Add("/max_party_size", "must be 1 for a paid event", "/price")
	}
	r.completeZone(wrong, f, sent)
	if f.Visibility == access.Members && f.Group == nil {
		wrong.Add("/visibility", "must be public or private without a group", "/group_id")
	}
}

func cleanTexts(wrong *domain.Problems, f *Fields, sent map[string]bool) {
	vars := map[string]any{}
	for _, c := range fieldColumns {
		vars[c.Column] = c.Var(f)
	}
	for _, t := range textCleaners {
		if !sent[t.column] {
			continue
		}
		switch v := vars[t.column].(type) {
		case *string:
			clean := v
			text.Clean(wrong, "/"+t.column, &clean, t.clean)
			*v = *clean
		case **string:
			text.Clean(wrong, "/"+t.column, v, t.clean)
		}
	}
}

// CheckPoint requires both coordinates of a position, or none, and finite numbers.
func CheckPoint(wrong *domain.Problems, lat, lng *float64) {
	if (lat == nil) != (lng == nil) {
		missing := "/lat"
		if lng == nil {
			missing = "/lng"
		}
		wrong.Add(missing, "must be present if the other coordinate is")
	}
	for _, c := range []struct {
		pointer string
		value   *float64
	}{{"/lat", lat}, {"/lng", lng}} {
		if c.value != nil && (math.IsNaN(*c.value) || math.IsInf(*c.value, 0)) {
			wrong.Add(c.pointer, "must be a finite number")
		}
	}
}

// Times returns a start and an end as events store them: UTC, whole seconds. It reports
// an end that is not after the start, or more than 31 days after it (contract §4.3).
func Times(wrong *domain.Problems, start time.Time, end *time.Time) (from time.Time, to *time.Time) {
	from = start.UTC().Truncate(time.Second)
	if end != nil {
		to = new(end.UTC().Truncate(time.Second))
		if length := to.Sub(from); length <= 0 || length > MaxLength {
			wrong.Add("/ends_at", "must be later than starts_at, by at most 31 days", "/starts_at")
		}
	}
	return from, to
}

func (r Rules) completePrice(wrong *domain.Problems, f *Fields, sent map[string]bool) {
	if sent["price"] && f.Price == Free {
		if !sent["price_amount"] {
			f.PriceAmount = nil
		}
		if !sent["price_currency"] {
			f.PriceCurrency = nil
		}
	}
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
	if f.PriceCurrency == nil || sent["price_currency"] && !slices.Contains(r.Currencies, *f.PriceCurrency) {
		wrong.Add("/price_currency", "must be one of these for a paid event: "+strings.Join(r.Currencies, ", "))
	}
}

func (r Rules) completeZone(wrong *domain.Problems, f *Fields, sent map[string]bool) {
	if sent["timezone"] {
		if !KnownZone(f.Timezone) {
			wrong.Add("/timezone", "must be an IANA zone with a place, such as Europe/Moscow")
		}
		return
	}
	if f.Timezone == "" {
		f.Timezone = r.ZoneAt(f.Lat, f.Lng)
	}
}

// notPlaces matches names that time.LoadLocation accepts but that are not the zone
// of a place: the machine's own zone, fixed offsets and variants of some systems.
var notPlaces = regexp.MustCompile(`^(|Local|localtime|Factory|posixrules|(Etc|posix|right)/.*|` +
	`EST|MST|HST|GMT.*|Greenwich|UCT|Universal|Zulu)$`)

// KnownZone reports whether the name is an IANA zone of a place (contract §0).
func KnownZone(name string) bool {
	if notPlaces.MatchString(name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// ZoneAt returns the zone at a point, or the default when there is no point or no zone
// of land.
func (r Rules) ZoneAt(lat, lng *float64) string {
	if lat == nil || lng == nil {
		return r.DefaultTimezone
	}
	if name := geo.ZoneAt(*lat, *lng); KnownZone(name) {
		return name
	}
	return r.DefaultTimezone
}
