package web

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const (
	// calendarBatch is the number of entries that one operation reads; maxCalendarEntries is the
	// number that a month shows.
	calendarBatch      = 100
	maxCalendarEntries = 1000

	// shownInvites is the number of unanswered invites that the calendar shows.
	shownInvites = 20
)

// calendar shows a month of the viewer's calendar, and the invites that wait for an answer.
func (s *Site) calendar(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("nav.calendar")
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	today := view.DayIn(v.page.Now, zone)
	d := view.CalendarData{Zone: zone, Today: today, Month: monthOf(v.page.URL.Query().Get("month"), today)}
	from, to := d.Range()
	var entries []gen.CalendarEntry
	err = s.together(func() (err error) {
		entries, err = s.calendarEntries(ctx, from, to)
		return err
	}, func() (err error) {
		d.Invites, err = s.pendingInvites(ctx)
		return err
	}, func() (err error) {
		d.Feed, err = s.calendarFeed(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Fill(entries)
	d.Incomplete = len(entries) >= maxCalendarEntries
	return view.Calendar(v.page, d), nil
}

// monthOf returns the first day of a month like "2026-11"; for any other text, that of the current month.
func monthOf(text string, today time.Time) time.Time {
	month, err := time.Parse("2006-01", text)
	if err != nil || month.Year() < 2000 || month.Year() > 2098 {
		return today.AddDate(0, 0, 1-today.Day())
	}
	return month
}

// calendarEntries returns the entries of a period, at most maxCalendarEntries.
func (s *Site) calendarEntries(ctx context.Context, from, to time.Time) ([]gen.CalendarEntry, error) {
	var entries []gen.CalendarEntry
	params := gen.ListCalendarEntriesParams{From: gen.NewOptDateTime(from), To: gen.NewOptDateTime(to), Limit: gen.NewOptInt(calendarBatch)}
	for {
		list, err := s.api.ListCalendarEntries(ctx, params)
		if err != nil {
			return nil, err
		}
		entries = append(entries, list.Items...)
		if list.NextCursor.Null || len(entries) >= maxCalendarEntries {
			return entries, nil
		}
		params.Cursor = gen.NewOptString(list.NextCursor.Value)
	}
}

// pendingInvites returns the first invites that wait for an answer.
func (s *Site) pendingInvites(ctx context.Context) ([]gen.CalendarInvite, error) {
	invites, err := s.api.ListCalendarInvites(ctx, gen.ListCalendarInvitesParams{
		Status: gen.NewOptInvitationStatus(gen.InvitationStatusPending), Limit: gen.NewOptInt(shownInvites),
	})
	if err != nil {
		return nil, err
	}
	return invites.Items, nil
}

// calendarFeed returns the address of the viewer's calendar feed; nil if there is none.
func (s *Site) calendarFeed(ctx context.Context) (*gen.CalendarFeed, error) {
	feed, err := s.api.GetCalendarFeed(ctx)
	if isRefused(err, http.StatusNotFound) {
		return nil, nil //nolint:nilnil // as documented
	}
	return feed, err
}

func (s *Site) openCalendarFeed(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.OpenCalendarFeed(ctx, gen.OpenCalendarFeedParams{IdempotencyKey: formKey(form)})
	return back(form), err
}

func (s *Site) closeCalendarFeed(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.CloseCalendarFeed(ctx)
}

// createCalendarEntry adds a personal entry. Its times are in the zone of the viewer.
func (s *Site) createCalendarEntry(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	zone, err := s.zone(ctx)
	if err != nil {
		return outcome{}, err
	}
	start, err := localTime(form, "starts_at", zone)
	if err != nil {
		return outcome{}, err
	}
	entry := &gen.CreateCalendarEntryRequest{Title: form.Get("title"), StartsAt: start, Timezone: gen.NewOptString(zone)}
	if form.Get("ends_at") != "" {
		end, err := localTime(form, "ends_at", zone)
		if err != nil {
			return outcome{}, err
		}
		entry.EndsAt = gen.NewOptNilDateTime(end)
	}
	if form.Get("location_text") != "" {
		entry.LocationText = gen.NewOptNilString(form.Get("location_text"))
	}
	if _, err := s.api.CreateCalendarEntry(ctx, entry, gen.CreateCalendarEntryParams{}); err != nil {
		return outcome{}, err
	}
	return outcome{to: "/calendar?month=" + form.Get("starts_at")[:len("2006-01")]}, nil
}

// localTime returns the time in a field like "2026-11-27T20:00", or the refusal of the field.
func localTime(form url.Values, name, zone string) (time.Time, error) {
	at, ok := view.LocalTime(form.Get(name), zone)
	if !ok {
		return at, invalid(name)
	}
	return at, nil
}

func (s *Site) cancelCalendarEntry(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.CancelCalendarEntry(ctx, gen.CancelCalendarEntryParams{EntryID: formID(form, "entry_id")})
	return back(form), err
}

// calendarInvite shows an invite, and lets the invited user answer it.
func (s *Site) calendarInvite(ctx context.Context, v *visit) (templ.Component, error) {
	invite, err := s.api.GetCalendarInvite(ctx, gen.GetCalendarInviteParams{InviteID: v.id("invite_id")})
	if err != nil {
		return nil, err
	}
	v.page.Title = invite.Entry.Title
	return view.CalendarInvite(v.page, view.InviteData{Invite: invite}), nil
}

func (s *Site) answerCalendarInvite(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.AnswerCalendarInvite(ctx,
		&gen.AnswerCalendarInviteRequest{Status: gen.InvitationAnswer(form.Get("status"))},
		gen.AnswerCalendarInviteParams{InviteID: formID(form, "invite_id")})
	return back(form), err
}
