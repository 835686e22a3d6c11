package web

import (
	"context"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/text/currency"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// dependent are fields whose values depend on each other: a change of one sends all.
var dependent = [][]string{{"starts_at", "ends_at", "timezone"}, {"lat", "lng"}, {"price_amount", "price_currency"}}

// changes are what a form changes of an event.
type changes struct {
	values    url.Values // of the form; stored ones where the visitor has changed nothing
	changed   []string   // fields to send
	conflicts []string   // fields that somebody else has changed, too
}

// changesOf compares a form with the stored event, and with the event when the form was shown. A form that does not say what it
// showed changes each field that differs.
func changesOf(form url.Values, event view.EditData) changes {
	c := changes{values: maps.Clone(form)}
	shown := view.ParseShown(form.Get("shown"))
	for _, name := range view.EditFields {
		if !form.Has(name) {
			continue
		}
		entered, stored := lines(form, name), event.Value(name)
		before, known := shown[name]
		switch {
		case known && view.Digest(entered) == before:
			c.values.Set(name, stored)
		case entered == stored:
		case known && view.Digest(stored) != before:
			c.conflicts = append(c.conflicts, name)
		default:
			c.changed = append(c.changed, name)
		}
	}
	for _, group := range dependent {
		if slices.ContainsFunc(group, func(name string) bool { return slices.Contains(c.changed, name) }) {
			c.changed = append(c.changed, group...)
		}
	}
	return c
}

// request returns the request that changes the event, or the refusal of fields.
func (c changes) request() (*gen.UpdateEventRequest, error) {
	f := formReader{Values: url.Values{}}
	for _, name := range c.changed {
		f.Values[name] = c.values[name]
	}
	request := &gen.UpdateEventRequest{}
	f.fill(request, "price_amount", "price_currency")
	if f.Has("title") {
		request.Title = gen.NewOptString(f.Get("title"))
	}
	if f.Has("starts_at") {
		request.StartsAt, request.EndsAt, request.Timezone = gen.NewOptDateTime(f.time("starts_at")), f.end(), gen.NewOptString(f.zone())
	}
	if f.Has("visibility") {
		request.Visibility = gen.NewOptEventVisibility(gen.EventVisibility(f.Get("visibility")))
	}
	if f.Has("price_amount") {
		request.Price, request.PriceAmount, request.PriceCurrency = f.price()
	}
	return request, f.err()
}

// saveFields stores the fields that the form changes. If somebody else has changed one of them, too, it changes nothing, and the form
// shows both values.
func (s *Site) saveFields(ctx context.Context, form url.Values, id uuid.UUID) error {
	setCategory(form)
	for attempt := 1; ; attempt++ {
		details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
		if err != nil {
			return err
		}
		c := changesOf(form, view.EditData{Details: &details.Response, Currencies: s.Currencies})
		if len(c.conflicts) > 0 {
			maps.Copy(form, c.values)
			return &view.Problem{Status: http.StatusPreconditionFailed, Code: "precondition_failed", Conflicts: c.conflicts}
		}
		if len(c.changed) == 0 {
			return nil
		}
		request, err := c.request()
		if err == nil {
			_, err = s.api.UpdateEvent(ctx, request, gen.UpdateEventParams{EventID: id, IfMatch: gen.NewOptString(details.ETag)})
		}
		if !isRefused(err, http.StatusPreconditionFailed) || attempt == 3 {
			maps.Copy(form, c.values)
			return err
		}
	}
}

// newEventRequest returns the request that creates a draft, or the refusal of fields. The draft has only the title and the time, which
// stand before a picture in the form: updateEvent adds the others.
func newEventRequest(form url.Values) (*gen.CreateEventRequest, error) {
	f := formReader{Values: form}
	title := strings.TrimSpace(form.Get("title"))
	request := &gen.CreateEventRequest{Title: gen.OptString{Value: title, Set: title != ""}, Untitled: gen.NewOptBool(title == ""),
		StartsAt: f.time("starts_at"), EndsAt: f.end(), Timezone: gen.NewOptString(f.zone())}
	return request, f.err()
}

// setCategory replaces the choice of another category by its text.
func setCategory(form url.Values) {
	if form.Get("category") == view.OtherCategory {
		form.Set("category", view.StoredCategory(strings.TrimSpace(form.Get("other_category"))))
	}
}

func (f *formReader) zone() string { return strings.TrimSpace(f.Get("timezone")) }

// time returns a local time in the zone of the form; zero if the field is empty.
func (f *formReader) time(name string) time.Time {
	at, ok := view.LocalTime(f.Get(name), f.zone()) // the operation refuses an unknown zone
	if !ok && (f.Get(name) != "" || name == "starts_at") {
		f.wrong = append(f.wrong, name)
	}
	return at
}

// end returns the end; null if the field is empty.
func (f *formReader) end() gen.OptNilDateTime {
	return gen.OptNilDateTime{Value: f.time("ends_at"), Set: true, Null: f.Get("ends_at") == ""}
}

// price returns the price, which the form has in units of the currency. Without one the event is free.
func (f *formReader) price() (price gen.OptEventPrice, minor gen.OptNilInt, code gen.OptNilString) {
	amount, name := f.number("price_amount"), strings.ToUpper(strings.TrimSpace(f.Get("price_currency")))
	if amount.Null || amount.Value == 0 {
		return gen.NewOptEventPrice(gen.EventPriceFree), gen.OptNilInt{Set: true, Null: true}, gen.OptNilString{Set: true, Null: true}
	}
	unit, err := currency.ParseISO(name)
	if err != nil {
		f.wrong = append(f.wrong, "price_currency")
	}
	scale, _ := currency.Standard.Rounding(unit)
	return gen.NewOptEventPrice(gen.EventPricePaid), gen.NewOptNilInt(int(math.Round(amount.Value * math.Pow10(scale)))),
		gen.NewOptNilString(name)
}
