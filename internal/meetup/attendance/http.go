package attendance

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/httpapi"
)

// Handler serves joining, leaving and invitations.
type Handler struct{ service *Service }

// NewHandler makes a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// JoinEvent serves POST /events/{event_id}/join.
func (h *Handler) JoinEvent(ctx context.Context, req gen.OptJoinEventRequest, params gen.JoinEventParams) (*gen.EventParticipant, error) {
	p, err := h.service.Join(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID),
		termsOf(req.Value.ParticipationVisibility, req.Value.PartySize, req.Value.Answers))
	if err != nil {
		return nil, err
	}
	return toAPI(p), nil
}

func termsOf(visibility gen.OptParticipationVisibility, party gen.OptPartySize, answers []gen.Answer) Terms {
	return Terms{Visibility: string(visibility.Or("")), Party: int64(party.Or(0)), Answers: question.FromAPI(answers)}
}

// LeaveEvent serves DELETE /events/{event_id}/join.
func (h *Handler) LeaveEvent(ctx context.Context, params gen.LeaveEventParams) (*gen.EventParticipant, error) {
	p, err := h.service.Leave(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	return toAPI(p), nil
}

// InviteToEvent serves POST /events/{event_id}/invitations.
func (h *Handler) InviteToEvent(ctx context.Context, req *gen.CreateEventInvitationRequest,
	params gen.InviteToEventParams) (*gen.EventInvitation, error) {
	i, err := h.service.Invite(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), inviteeOf(req))
	if err != nil {
		return nil, err
	}
	return invitationAPI(i), nil
}

func inviteeOf(req *gen.CreateEventInvitationRequest) Invitee {
	to := Invitee{Message: httpapi.Opt[string](req.Message).Value}
	if phone, sent := req.InvitedPhone.Get(); sent {
		to.Phone = &phone
	}
	if email, sent := req.Email.Get(); sent {
		to.Email = &email
	}
	return to
}

// AnswerInvitation serves PATCH /events/{event_id}/rsvp.
func (h *Handler) AnswerInvitation(ctx context.Context, req *gen.RSVPEventInvitationRequest,
	params gen.AnswerInvitationParams) (*gen.EventInvitation, error) {
	r := RSVP{Status: access.Invitation(req.Status), Terms: termsOf(req.ParticipationVisibility, req.PartySize, req.Answers)}
	i, err := h.service.RSVP(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), r)
	if err != nil {
		return nil, err
	}
	return invitationAPI(i), nil
}

// ListParticipants serves GET /events/{event_id}/participants.
func (h *Handler) ListParticipants(ctx context.Context, params gen.ListParticipantsParams) (*gen.EventParticipantsResponse, error) {
	g := Guests{Status: string(params.Status.Or(gen.ListParticipantsStatusGoing)), MinParty: int64(params.MinPartySize.Or(1)),
		Answer: question.FilterOf(params.QuestionID, params.Answer)}
	page, err := h.service.Participants(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), g, params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventParticipantItem, len(page.Items))
	for i, a := range page.Items {
		items[i] = gen.EventParticipantItem{Participant: *toAPI(a.Participant), Profile: user.NullAPI(a.Profile),
			Answers: question.API(a.Answers), GuestCode: gen.NullString(a.code())}
	}
	return &gen.EventParticipantsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// ListInvitations serves GET /events/{event_id}/invitations.
func (h *Handler) ListInvitations(ctx context.Context, params gen.ListInvitationsParams) (*gen.EventInvitationsResponse, error) {
	page, m, err := h.service.Invitations(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID),
		access.Invitation(params.Status.Or("")), params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventInvitation, len(page.Items))
	for i, invitation := range page.Items {
		items[i] = *invitationAPI(invitation)
	}
	return &gen.EventInvitationsResponse{Items: items, NextCursor: gen.NullCursor(page.Next), Messages: gen.InvitationMessages{Sent: m.Sent,
		Later: m.Later}}, nil
}

func toAPI(p Participant) *gen.EventParticipant {
	return &gen.EventParticipant{
		ID: uuid.UUID(p.ID), EventID: uuid.UUID(p.EventID), UserID: uuid.UUID(p.shownID()),
		Status: gen.ParticipationStatus(p.Status), ParticipationVisibility: gen.ParticipationVisibility(p.Visibility),
		JoinedAt: p.JoinedAt, LeftAt: gen.NullDateTime(p.LeftAt), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		PartySize: gen.PartySize(p.Party),
	}
}

func invitationAPI(i Invitation) *gen.EventInvitation {
	return &gen.EventInvitation{
		ID: uuid.UUID(i.ID), EventID: uuid.UUID(i.EventID), InvitedUserID: uuid.UUID(i.UserID), InvitedByUserID: uuid.UUID(i.InvitedBy),
		Status: gen.InvitationStatus(i.Status), Message: gen.NullString(i.Message), CalendarInviteID: gen.NullUUID(&i.ID),
		RespondedAt: gen.NullDateTime(i.RespondedAt), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		InvitedProfile: user.NullAPI(i.Invited),
	}
}
