package web

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"golang.org/x/text/currency"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// newEvent is the first step of a new event. It stores a draft; the steps that follow edit it.
func (s *Site) newEvent(_ context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("edit.new")
	return view.Edit(v.page, view.EditData{Step: view.EditSteps[0]}), nil
}

// editEvent shows one step of the form of an event to its organizer.
func (s *Site) editEvent(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.ownEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	step := v.page.URL.Query().Get("step")
	if !slices.Contains(view.EditSteps, step) {
		step = view.EditSteps[0]
	}
	d := view.EditData{Step: step, Details: &details.Response, ETag: details.ETag}
	switch e := d.Details.Event; {
	case step == "dates":
		err = s.editDates(ctx, &d)
	case step == "publish" && e.Status == gen.EventStatusDraft && e.Price == gen.EventPricePaid:
		d.Payments, err = s.api.GetPaymentProfile(ctx)
	}
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.Module = v.page.T("edit.title", "Event", d.Details.Event.Title), "edit.js"
	return view.Edit(v.page, d), nil
}

func (s *Site) createEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	f := formReader{Values: form}
	request := &gen.CreateEventRequest{
		Title: form.Get("title"), StartsAt: f.time("starts_at"), EndsAt: f.end(), Timezone: gen.NewOptString(f.zone()),
	}
	if form.Has("date_mode") {
		request.DateMode = gen.NewOptEventDateMode(gen.EventDateMode(form.Get("date_mode")))
	}
	f.fill(request)
	if err := f.err(); err != nil {
		return outcome{}, err
	}
	created, err := s.api.CreateEvent(ctx, request, gen.CreateEventParams{IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: view.EditURL(created.Response.Event.ID, view.EditSteps[1])}, nil
}

// updateEvent changes what one step of the form has, unless the event has changed since the form was shown.
func (s *Site) updateEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	f, id := formReader{Values: form}, formID(form, "event_id")
	request := &gen.UpdateEventRequest{}
	f.fill(request, "price_amount", "price_currency") // of setPrice
	switch form.Get("step") {
	case "what":
		request.Title, request.Timezone = gen.NewOptString(form.Get("title")), gen.NewOptString(f.zone())
		request.StartsAt, request.EndsAt = gen.NewOptDateTime(f.time("starts_at")), f.end()
	case "who":
		if form.Has("visibility") {
			request.Visibility = gen.NewOptEventVisibility(gen.EventVisibility(form.Get("visibility")))
		}
		f.setPrice(request)
	}
	if err := f.err(); err != nil {
		return outcome{}, err
	}
	etag := form.Get("etag")
	if _, err := s.api.UpdateEvent(ctx, request,
		gen.UpdateEventParams{EventID: id, IfMatch: gen.OptString{Value: etag, Set: etag != ""}}); err != nil {
		return outcome{}, err
	}
	return outcome{to: view.EditURL(id, view.NextEditStep(form.Get("step")))}, nil
}

// publishEvent publishes an event. The button for it is in the form of the picture, which shows a refusal.
func (s *Site) publishEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	id := formID(form, "event_id")
	_, err := s.api.PublishEvent(ctx, gen.PublishEventParams{EventID: id})
	return outcome{to: view.EventURL(id, "share") + "?published", action: "setEventCover"}, err
}

func (s *Site) cancelEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	id := formID(form, "event_id")
	details, err := s.api.CancelEvent(ctx, gen.CancelEventParams{EventID: id})
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: view.PagePath(details.Response.Event.ShareURL)}, nil
}

// setCover stores the picture of the form, if there is one, and the text that describes it. It then publishes the event if the
// button for that sent the form.
func (s *Site) setCover(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	id := formID(form, "event_id")
	if err := v.storePicture("cover", func(p picture) error { return s.uploadCover(ctx, id, p) }); err != nil {
		return outcome{}, err
	}
	f := formReader{Values: form}
	request := &gen.UpdateEventRequest{ImageAlt: f.text("image_alt")}
	if address := f.text("image_url"); !address.Null {
		request.ImageURL = address
	}
	_, err := s.api.UpdateEvent(ctx, request, gen.UpdateEventParams{EventID: id})
	if err == nil && form.Has("publish") {
		return s.publishEvent(ctx, v, form)
	}
	return outcome{to: view.EditURL(id, "publish")}, err
}

func (s *Site) uploadCover(ctx context.Context, event uuid.UUID, picture picture) error {
	var request gen.SetEventCoverReq
	switch picture.mediaType {
	case "image/jpeg":
		request = &gen.SetEventCoverReqImageJpeg{Data: picture}
	case "image/png":
		request = &gen.SetEventCoverReqImagePNG{Data: picture}
	case "image/gif":
		request = &gen.SetEventCoverReqImageGIF{Data: picture}
	default:
		request = &gen.SetEventCoverReqImageWEBP{Data: picture}
	}
	_, err := s.api.SetEventCover(ctx, request, gen.SetEventCoverParams{EventID: event})
	return err
}

func (s *Site) deleteCover(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.DeleteEventCover(ctx, gen.DeleteEventCoverParams{EventID: formID(form, "event_id")})
	return back(form), err
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

// setPrice sets the price, which the form has in units of the currency. Without one the event is free.
func (f *formReader) setPrice(to *gen.UpdateEventRequest) {
	amount, code := f.number("price_amount"), strings.ToUpper(strings.TrimSpace(f.Get("price_currency")))
	if amount.Null || amount.Value == 0 {
		to.Price = gen.NewOptEventPrice(gen.EventPriceFree)
		to.PriceAmount, to.PriceCurrency = gen.OptNilInt{Set: true, Null: true}, gen.OptNilString{Set: true, Null: true}
		return
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		f.wrong = append(f.wrong, "price_currency")
	}
	scale, _ := currency.Standard.Rounding(unit)
	to.Price, to.PriceCurrency = gen.NewOptEventPrice(gen.EventPricePaid), gen.NewOptNilString(code)
	to.PriceAmount = gen.NewOptNilInt(int(math.Round(amount.Value * math.Pow10(scale))))
}
