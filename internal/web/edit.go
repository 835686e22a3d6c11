package web

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// newEvent shows the form of a new event. Visitors who are not signed in can fill it in, and sign in when they save.
func (s *Site) newEvent(ctx context.Context, v *visit) (templ.Component, error) {
	d := view.EditData{Currencies: s.Currencies}
	if v.page.SignedIn() {
		d.Zone, _ = s.zone(ctx) // without it, the visitor chooses a zone
		var err error
		if d.Groups, err = s.hostedGroups(ctx); err != nil {
			return nil, err
		}
		d.Group = v.page.URL.Query().Get("group")
	}
	d.Start = view.In(v.page.Now, d.Zone).AddDate(0, 0, 1).Format(time.DateOnly) + "T19:00"
	v.page.Title, v.page.Module, v.page.NoIndex = v.page.T("edit.new"), "edit.js", true
	return view.Edit(v.page, d), nil
}

// editEvent shows the form of an event to its organizer, with what else they can do.
func (s *Site) editEvent(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	if e := details.Response.Event; e.SourceHost.Set { // it is changed at the other service
		return nil, redirect{view.PagePath(e.ShareURL)}
	}
	d := view.EditData{Details: &details.Response, Currencies: s.Currencies}
	if err := s.editDates(ctx, &d); err != nil {
		return nil, err
	}
	if d.Details.Event.Status == gen.EventStatusDraft {
		if d.Groups, err = s.hostedGroups(ctx); err != nil {
			return nil, err
		}
	}
	if e := d.Details.Event; e.Status == gen.EventStatusDraft && e.Price == gen.EventPricePaid {
		if d.Payments, err = s.api.GetPaymentProfile(ctx); err != nil {
			return nil, err
		}
	}
	v.page.Title, v.page.Module = v.page.T("edit.title", "Event", v.page.EventTitle(d.Details.Event.Title)), "edit.js"
	return view.Edit(v.page, d), nil
}

// createEvent stores a draft with the fields that come before a picture, unless a script has stored it. updateEvent then does the rest,
// and shows the form again if it is refused.
func (s *Site) createEvent(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if findsPlace(form) {
		return s.findPlace(ctx, form)
	}
	isNew := form.Get("event_id") == ""
	if isNew {
		if err := s.createDraft(ctx, form); err != nil {
			return outcome{}, err
		}
	}
	id := formID(form, "event_id")
	form.Set("page", view.EditURL(id))
	var out outcome
	var err error
	if isNew {
		err = s.remindGuests(ctx, id)
	}
	if err == nil {
		out, err = s.updateEvent(ctx, v, form)
	}
	out.action = "updateEvent"
	return out, err
}

// createDraft stores a draft, whose id the form then has.
func (s *Site) createDraft(ctx context.Context, form url.Values) error {
	request, err := newEventRequest(form)
	if err != nil {
		return err
	}
	created, err := s.api.CreateEvent(ctx, request, gen.CreateEventParams{IdempotencyKey: formKey(form)})
	if err != nil {
		return err
	}
	form.Set("event_id", created.Response.Event.ID.String())
	return nil
}

// updateEvent stores the picture of the form, then its fields. It publishes the event if the button for that sent the form.
func (s *Site) updateEvent(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if findsPlace(form) {
		return s.findPlace(ctx, form)
	}
	id := formID(form, "event_id")
	if err := v.storePicture("cover", func(p picture) error { return s.uploadCover(ctx, id, p) }); err != nil {
		return outcome{}, err
	}
	if form.Get("date_mode") == string(gen.EventDateModeVote) { // of a new event
		err := s.api.SetEventDateMode(ctx, &gen.SetEventDateModeRequest{Mode: gen.EventDateModeVote}, gen.SetEventDateModeParams{EventID: id})
		if err != nil {
			return outcome{}, err
		}
	}
	if err := s.saveFields(ctx, form, id); err != nil {
		return outcome{}, err
	}
	if !form.Has("publish") {
		return outcome{to: view.EditURL(id) + "?saved=yes"}, nil
	}
	_, err := s.api.PublishEvent(ctx, gen.PublishEventParams{EventID: id})
	if problem, refused := errors.AsType[*view.Problem](err); refused && problem.Reason == "event_untitled" {
		return outcome{}, invalid("title")
	}
	return outcome{to: view.EventURL(id, "share") + "?published"}, err
}

// cancelEvent cancels an event, with a message to its guests.
func (s *Site) cancelEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	id, f := formID(form, "event_id"), formReader{Values: form}
	details, err := s.api.CancelEvent(ctx, gen.NewOptCancelEventRequest(gen.CancelEventRequest{Message: f.text("message")}),
		gen.CancelEventParams{EventID: id})
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: view.PagePath(details.Response.Event.ShareURL)}, nil
}

// cloneEvent makes a draft like an event, and leads to its form.
func (s *Site) cloneEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	clone, err := s.api.CloneEvent(ctx, gen.CloneEventParams{EventID: formID(form, "event_id"), IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	id := clone.Response.Event.ID
	return outcome{to: view.EditURL(id)}, s.remindGuests(ctx, id)
}

// remindGuests switches the reminders of a new event on.
func (s *Site) remindGuests(ctx context.Context, event uuid.UUID) error {
	_, err := s.api.SetReminderSettings(ctx, &gen.SetEventReminderSettingsRequest{
		Enabled: gen.NewOptBool(true), Channels: []gen.ReminderChannel{"in_app", "email", "push"},
	}, gen.SetReminderSettingsParams{EventID: event})
	return err
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
