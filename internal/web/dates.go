package web

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// vote votes for the date options that are ticked and withdraws the votes for the others.
func (s *Site) vote(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	event := formID(form, "event_id")
	options, err := s.api.ListDateOptions(ctx, gen.ListDateOptionsParams{EventID: event})
	if err != nil {
		return outcome{}, err
	}
	for _, o := range options.Items {
		switch ticked := slices.Contains(form["option_id"], o.ID.String()); {
		case ticked && !o.ViewerVoted:
			_, err = s.api.VoteForDateOption(ctx, gen.VoteForDateOptionParams{EventID: event, OptionID: o.ID})
		case !ticked && o.ViewerVoted:
			err = s.api.WithdrawDateVote(ctx, gen.WithdrawDateVoteParams{EventID: event, OptionID: o.ID})
		}
		if err != nil {
			return outcome{}, err
		}
	}
	return back(form), nil
}

// selectDateOption ends the vote with one of the dates.
func (s *Site) selectDateOption(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.SelectDateOption(ctx, gen.SelectDateOptionParams{EventID: formID(form, "event_id"), OptionID: formID(form, "selected")})
	return back(form), err
}

func (s *Site) setDateMode(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.SetEventDateMode(ctx, &gen.SetEventDateModeRequest{Mode: gen.EventDateMode(form.Get("mode"))},
		gen.SetEventDateModeParams{EventID: formID(form, "event_id")})
	return back(form), err
}

// createDateOption adds a date. Its times are in the zone of the event.
func (s *Site) createDateOption(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	f := formReader{Values: form}
	request := &gen.CreateEventDateOptionRequest{StartsAt: f.time("starts_at"), EndsAt: f.end(), Note: f.text("note")}
	if err := f.err(); err != nil {
		return outcome{}, err
	}
	_, err := s.api.CreateDateOption(ctx, request, gen.CreateDateOptionParams{EventID: formID(form, "event_id"),
		IdempotencyKey: formKey(form)})
	return back(form), err
}

// editDates reads the dates and the reminders of an event.
func (s *Site) editDates(ctx context.Context, d *view.EditData) (err error) {
	event := d.Details.Event.ID
	if d.Dates, err = s.api.ListDateOptions(ctx, gen.ListDateOptionsParams{EventID: event}); err != nil {
		return err
	}
	d.Reminders, err = s.api.GetReminderSettings(ctx, gen.GetReminderSettingsParams{EventID: event})
	return err
}

func (s *Site) setReminders(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	event := formID(form, "event_id")
	request := &gen.SetEventReminderSettingsRequest{
		Enabled: gen.NewOptBool(form.Has("enabled")), AskAgain: gen.NewOptBool(form.Has("ask_again")),
		OffsetsMinutes: []int{}, Channels: []gen.ReminderChannel{"in_app"},
	}
	for _, text := range form["offsets_minutes"] {
		minutes, _ := strconv.Atoi(text) // the operation refuses 0
		request.OffsetsMinutes = append(request.OffsetsMinutes, minutes)
	}
	for _, channel := range form["channels"] {
		request.Channels = append(request.Channels, gen.ReminderChannel(channel))
	}
	if _, err := s.api.SetReminderSettings(ctx, request, gen.SetReminderSettingsParams{EventID: event}); err != nil {
		return outcome{}, err
	}
	return outcome{to: view.EditURL(event) + "?saved=reminders#reminders"}, nil
}
