package attendance

import (
	"context"
	"net/http"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// ApproveParticipant serves POST /events/{event_id}/participants/{participant_id}/approve.
func (h *Handler) ApproveParticipant(ctx context.Context, params gen.ApproveParticipantParams) (*gen.EventParticipant, error) {
	return participantAPI(h.service.Approve(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID),
		domain.ParticipantID(params.ParticipantID)))
}

// DeclineParticipant serves POST /events/{event_id}/participants/{participant_id}/decline.
func (h *Handler) DeclineParticipant(ctx context.Context, params gen.DeclineParticipantParams) (*gen.EventParticipant, error) {
	return participantAPI(h.service.Decline(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID),
		domain.ParticipantID(params.ParticipantID)))
}

// ApproveRequests serves POST /events/{event_id}/participants/approve.
func (h *Handler) ApproveRequests(ctx context.Context, params gen.ApproveRequestsParams) (*gen.ApprovedRequests, error) {
	approved, left, err := h.service.ApproveAll(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	return &gen.ApprovedRequests{Approved: approved, Left: left}, nil
}

// RemoveParticipant serves DELETE /events/{event_id}/participants/{participant_id}.
func (h *Handler) RemoveParticipant(ctx context.Context, params gen.RemoveParticipantParams) error {
	return h.service.Remove(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.ParticipantID(params.ParticipantID))
}

// DownloadParticipants serves GET /events/{event_id}/participants.csv.
func (h *Handler) DownloadParticipants(ctx context.Context, params gen.DownloadParticipantsParams, w http.ResponseWriter) error {
	return httpapi.WriteCSV(ctx, w, "guests.csv", h.service.guestsCSV(httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

func participantAPI(p Participant, err error) (*gen.EventParticipant, error) {
	if err != nil {
		return nil, err
	}
	return toAPI(p), nil
}
