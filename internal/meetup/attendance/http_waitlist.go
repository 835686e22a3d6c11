package attendance

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/httpapi"
)

// EnterWaitlist serves POST /events/{event_id}/waitlist.
func (h *Handler) EnterWaitlist(ctx context.Context, req gen.OptEnterWaitlistRequest,
	params gen.EnterWaitlistParams) (*gen.WaitlistEntry, error) {
	t := termsOf(req.Value.ParticipationVisibility, req.Value.PartySize, req.Value.Answers)
	return entryAPI(h.service.EnterWaitlist(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), t))
}

// GetWaitlistEntry serves GET /events/{event_id}/waitlist.
func (h *Handler) GetWaitlistEntry(ctx context.Context, params gen.GetWaitlistEntryParams) (*gen.WaitlistEntry, error) {
	return entryAPI(h.service.Entry(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// LeaveWaitlist serves DELETE /events/{event_id}/waitlist.
func (h *Handler) LeaveWaitlist(ctx context.Context, params gen.LeaveWaitlistParams) error {
	return h.service.LeaveWaitlist(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
}

// ListWaitlistEntries serves GET /events/{event_id}/waitlist/entries.
func (h *Handler) ListWaitlistEntries(ctx context.Context, params gen.ListWaitlistEntriesParams) (*gen.WaitlistEntriesResponse, error) {
	page, err := h.service.Entries(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), event.WaitlistStatus(params.Status.Or("")),
		params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.WaitlistEntryItem, len(page.Items))
	for i, w := range page.Items {
		items[i] = gen.WaitlistEntryItem{Entry: w.API(), Profile: user.NullAPI(w.Profile), Answers: question.API(w.Answers),
			GuestCode: gen.NullString(w.code())}
	}
	return &gen.WaitlistEntriesResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// RemoveWaitlistEntry serves DELETE /events/{event_id}/waitlist/entries/{entry_id}.
func (h *Handler) RemoveWaitlistEntry(ctx context.Context, params gen.RemoveWaitlistEntryParams) error {
	return h.service.RemoveEntry(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.WaitlistEntryID(params.EntryID))
}

// OfferSeats serves POST /events/{event_id}/waitlist/entries/{entry_id}/offer.
func (h *Handler) OfferSeats(ctx context.Context, params gen.OfferSeatsParams) (*gen.WaitlistEntry, error) {
	return entryAPI(h.service.OfferSeats(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.WaitlistEntryID(params.EntryID)))
}

func entryAPI(e event.WaitlistEntry, err error) (*gen.WaitlistEntry, error) {
	if err != nil {
		return nil, err
	}
	return new(e.API()), nil
}
