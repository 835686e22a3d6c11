package web

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// approveParticipant approves a request to join, or lets a removed guest join again, for the organizer.
func (s *Site) approveParticipant(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.ApproveParticipant(ctx, gen.ApproveParticipantParams{EventID: formID(form, "event_id"),
		ParticipantID: formID(form, "participant_id")})
	return backTo(form, form.Get("list")), err
}

// approveRequests approves all requests to join, for the organizer.
func (s *Site) approveRequests(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.ApproveRequests(ctx, gen.ApproveRequestsParams{EventID: formID(form, "event_id")})
	return backTo(form, "requests"), err
}

// declineParticipant declines a request to join, for the organizer.
func (s *Site) declineParticipant(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.DeclineParticipant(ctx, gen.DeclineParticipantParams{EventID: formID(form, "event_id"),
		ParticipantID: formID(form, "participant_id")})
	return backTo(form, "requests"), err
}

// removeParticipant removes a guest, for the organizer.
func (s *Site) removeParticipant(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.RemoveParticipantParams{EventID: formID(form, "event_id"), ParticipantID: formID(form, "participant_id")}
	return backTo(form, "going"), s.api.RemoveParticipant(ctx, params)
}

// readRequests adds the requests to join to the page of the guests.
func (s *Site) readRequests(ctx context.Context, v *visit, d *view.GuestsData) error {
	list, err := s.api.ListParticipants(ctx, gen.ListParticipantsParams{EventID: v.id("event_id"), Limit: gen.NewOptInt(guestsPerPage),
		Status: gen.NewOptListParticipantsStatus(gen.ListParticipantsStatusRequested), Cursor: optional(v.page.URL.Query(), "requests")})
	if err != nil {
		return err
	}
	d.Requests, d.MoreRequests = list.Items, v.more("requests", list.NextCursor)
	return nil
}
