package web

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// enterWaitlist puts the visitor on the waiting list of an event, or changes their party.
func (s *Site) enterWaitlist(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	answers, err := s.formAnswers(ctx, form, "enterWaitlist")
	if err != nil {
		return outcome{}, err
	}
	request := gen.EnterWaitlistRequest{ParticipationVisibility: formVisibility(form), PartySize: formParty(form), Answers: answers.list}
	_, err = s.api.EnterWaitlist(ctx, gen.NewOptEnterWaitlistRequest(request), gen.EnterWaitlistParams{EventID: formID(form, "event_id")})
	return backTo(form, "", view.VisibilityField), answers.renamed(err)
}

// leaveWaitlist ends the entry of the visitor, and an offer.
func (s *Site) leaveWaitlist(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.LeaveWaitlist(ctx, gen.LeaveWaitlistParams{EventID: formID(form, "event_id")})
}

// offerSeats offers free seats to an entry, for the organizer.
func (s *Site) offerSeats(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.OfferSeats(ctx, gen.OfferSeatsParams{EventID: formID(form, "event_id"), EntryID: formID(form, "entry_id")})
	return backTo(form, "waiting"), err
}

// removeWaitlistEntry ends an entry, for the organizer.
func (s *Site) removeWaitlistEntry(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.RemoveWaitlistEntryParams{EventID: formID(form, "event_id"), EntryID: formID(form, "entry_id")}
	return backTo(form, "waiting"), s.api.RemoveWaitlistEntry(ctx, params)
}

// readWaitlist adds the waiting list to the page of the guests: the offers first.
func (s *Site) readWaitlist(ctx context.Context, v *visit, d *view.GuestsData) error {
	query := v.page.URL.Query()
	for _, status := range []gen.WaitlistStatus{gen.WaitlistStatusOffered, gen.WaitlistStatusWaiting} {
		params := gen.ListWaitlistEntriesParams{EventID: v.id("event_id"), Limit: gen.NewOptInt(guestsPerPage),
			Status: gen.NewOptWaitlistStatus(status)}
		if status == gen.WaitlistStatusWaiting {
			params.Cursor = optional(query, "waiting")
		}
		list, err := s.api.ListWaitlistEntries(ctx, params)
		if err != nil {
			return err
		}
		d.Waiting = append(d.Waiting, list.Items...)
		d.MoreWaiting = v.more("waiting", list.NextCursor)
	}
	return nil
}
