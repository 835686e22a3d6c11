package attendance

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
	"moothall/internal/user"
)

// InviteToEvent answers POST /events/{event_id}/invitations.
func (h *Handler) InviteToEvent(ctx context.Context, req *gen.CreateEventInvitationRequest, params gen.InviteToEventParams) (*gen.EventInvitation, error) {
	to := Invitee{Message: httpapi.Opt[string](req.Message).Value}
	if phone, sent := req.InvitedPhone.Get(); sent {
		to.Phone = &phone
	}
	if email, sent := req.Email.Get(); sent {
		to.Email = &email
	}
	i, err := h.service.Invite(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), to)
	if err != nil {
		return nil, err
	}
	return invitationAPI(i), nil
}

// AnswerInvitation answers PATCH /events/{event_id}/rsvp.
func (h *Handler) AnswerInvitation(ctx context.Context, req *gen.RSVPEventInvitationRequest, params gen.AnswerInvitationParams) (*gen.EventInvitation, error) {
	a := Answer{Status: string(req.Status), Visibility: string(req.ParticipationVisibility.Or(""))}
	i, err := h.service.Answer(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), a)
	if err != nil {
		return nil, err
	}
	return invitationAPI(i), nil
}

func invitationAPI(i Invitation) *gen.EventInvitation {
	return &gen.EventInvitation{
		ID: uuid.UUID(i.ID), EventID: uuid.UUID(i.EventID), InvitedUserID: uuid.UUID(i.UserID), InvitedByUserID: uuid.UUID(i.InvitedBy),
		Status: gen.InvitationStatus(i.Status), Message: gen.NullString(i.Message), CalendarInviteID: gen.NullUUID(&i.ID),
		RespondedAt: gen.NullDateTime(i.RespondedAt), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		InvitedProfile: user.NullAPI(i.Invited),
	}
}
