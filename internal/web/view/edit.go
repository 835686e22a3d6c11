package view

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"golang.org/x/text/currency"

	"moothall/api/gen"
)

// EditSteps are the steps of the form of an event.
var EditSteps = []string{"what", "where", "who", "dates", "publish"}

// NextEditStep returns the step after another one; the last step after an unknown one.
func NextEditStep(step string) string {
	return EditSteps[min(slices.Index(EditSteps, step)+1, len(EditSteps)-1)]
}

// EditURL is the address of a step of the form of an event.
func EditURL(event uuid.UUID, step string) string {
	return EventURL(event, "edit") + "?" + url.Values{"step": {step}}.Encode()
}

// DateTimeField is the layout of a field for date and time.
const DateTimeField = "2006-01-02T15:04"

// EditData is what one step of the form of an event shows.
type EditData struct {
	Step    string
	Details *gen.EventDetails // nil: the event is not stored yet
	ETag    string            // of the details

	Dates     *gen.EventDateOptionsResponse // for the step of dates, like Reminders
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
var initial = map[string]string{"date_mode": string(gen.EventDateModeFixed)}

// value returns the stored value of a field.
func (d EditData) value(name string) string {
	if d.isNew() {
		return initial[name]
	}
	e := d.Details.Event
	switch name { // in another form than in the contract
	case "starts_at":
		return In(e.StartsAt, e.Timezone).Format(DateTimeField)
	case "ends_at":
		return localTime(e.EndsAt, e.Timezone)
	case "price_amount":
		return units(e.PriceAmount, e.PriceCurrency.Value)
	}
	switch p := d.Details.Property(name).(type) {
	case *string:
		return *p
	case *gen.EventVisibility:
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
