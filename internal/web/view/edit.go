package view

import (
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"golang.org/x/text/currency"

	"moothall/api/gen"
)

// EditURL is the address of the form of an event.
func EditURL(event uuid.UUID) string { return EventURL(event, "edit") }

// DateTimeField is the layout of a field for date and time.
const DateTimeField = "2006-01-02T15:04"

// EditFields are the fields of the form of an event that are compared with the stored ones.
var EditFields = []string{
	"title", "starts_at", "ends_at", "timezone", "location_text", "city", "lat", "lng", "conference_url", "image_alt", "description",
	"category", "theme", "group_id", "visibility", "capacity", "max_party_size", "waitlist", "waitlist_offer_minutes", "join_policy",
	"price_amount", "price_currency",
}

// EditData is what the form of an event shows.
type EditData struct {
	Details    *gen.EventDetails // nil: the event is not stored yet
	Currencies []string
	Zone       string // of a new event; may be empty
	Start      string // of a new event, as DateTimeField
	Group      string // id of the group of a new event; may be empty

	Groups []gen.Group // that the viewer hosts; only for a draft

	Dates     *gen.EventDateOptionsResponse // of a stored event, like Reminders
	Reminders *gen.EventReminderSettings
	Payments  *gen.OrganizerPaymentProfile // nil: not needed to publish
}

func (d EditData) isNew() bool { return d.Details == nil }

func (d EditData) id() string { return d.Details.Event.ID.String() }

func (d EditData) is(status gen.EventStatus) bool {
	return !d.isNew() && d.Details.Event.Status == status
}

// over reports whether the event can no longer be changed.
func (d EditData) over() bool {
	return d.is(gen.EventStatusCanceled) || d.is(gen.EventStatusCompleted)
}

// action is the action of the form.
func (d EditData) action() string {
	if d.isNew() {
		return "createEvent"
	}
	return "updateEvent"
}

// initial has the values of fields of a new event.
func (d EditData) initial() map[string]string {
	return map[string]string{
		"starts_at": d.Start, "timezone": d.Zone, "visibility": string(gen.EventVisibilityPublic), "date_mode": string(gen.EventDateModeFixed),
		"max_party_size": "1", "waitlist": string(gen.EventWaitlistOff), "waitlist_offer_minutes": "720",
		"join_policy": string(gen.EventJoinPolicyOpen), "group_id": d.Group,
	}
}

// Value returns the stored value of a field, as the form shows it.
func (d EditData) Value(name string) string {
	if d.isNew() {
		return d.initial()[name]
	}
	e := d.Details.Event
	switch name { // in another form than in the contract
	case "starts_at":
		return In(e.StartsAt, e.Timezone).Format(DateTimeField)
	case "ends_at":
		return localTime(e.EndsAt, e.Timezone)
	case "category":
		return StoredCategory(e.Category.Value)
	case "price_amount":
		return units(e.PriceAmount, e.PriceCurrency.Value)
	case "price_currency":
		return first(d.currencies())
	case "group_id":
		if d.Details.Group.Null {
			return ""
		}
		return d.Details.Group.Value.ID.String()
	}
	switch p := d.Details.Property(name).(type) {
	case *string:
		return *p
	case *int:
		return strconv.Itoa(*p)
	case *gen.EventVisibility:
		return string(*p)
	case *gen.EventJoinPolicy:
		return string(*p)
	case *gen.EventWaitlist:
		return string(*p)
	case *gen.OptString:
		return p.Value
	case *gen.NilString:
		return p.Value
	case *gen.NilInt:
		return optional(*p)
	case *gen.NilFloat64:
		return decimal(*p)
	}
	return ""
}

// currencies returns the choices, that of the event first.
func (d EditData) currencies() []string {
	if d.isNew() || d.Details.Event.PriceCurrency.Null {
		return d.Currencies
	}
	own := d.Details.Event.PriceCurrency.Value
	others := slices.DeleteFunc(slices.Clone(d.Currencies), func(code string) bool { return code == own })
	return append([]string{own}, others...)
}

// Digest identifies the value of a field.
func Digest(value string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(value)) // never fails
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// shown lists the digests of the values that the form shows, for ParseShown.
func (d EditData) shown() string {
	list := url.Values{}
	for _, name := range EditFields {
		list.Set(name, Digest(d.Value(name)))
	}
	return list.Encode()
}

// ParseShown returns the digests of the values that a form has shown, by field.
func ParseShown(list string) map[string]string {
	shown := map[string]string{}
	parsed, _ := url.ParseQuery(list) // without them, the form changes all that differs
	for name := range parsed {
		shown[name] = parsed.Get(name)
	}
	return shown
}

// EventTitle returns the title of an event, or words for a draft without one.
func (p *Page) EventTitle(title string) string {
	if title == "" {
		return p.T("edit.untitled")
	}
	return title
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func localTime(t gen.NilDateTime, zone string) string {
	if t.Null {
		return ""
	}
	return In(t.Value, zone).Format(DateTimeField)
}

// decimal returns a number as a field of a form has it; "" for null.
func decimal(n gen.NilFloat64) string {
	if n.Null {
		return ""
	}
	return strconv.FormatFloat(n.Value, 'f', -1, 64)
}

func optional(n gen.NilInt) string {
	if n.Null {
		return ""
	}
	return strconv.Itoa(n.Value)
}

// units returns an amount in minor units as a number of units, like "12.50".
func units(amount gen.NilInt, code string) string {
	unit, err := currency.ParseISO(code)
	if amount.Null || err != nil {
		return ""
	}
	value, scale := major(amount.Value, unit)
	return strconv.FormatFloat(value, 'f', scale, 64)
}

// requestKey returns a new idempotency key for a form.
func requestKey(now time.Time) string {
	return strconv.FormatInt(now.Unix(), 36) + "-" + uuid.NewString()
}
