package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// guestsPerPage is the number of guests and of invitations that an organizer sees before "More".
const guestsPerPage = 50

// guests shows the organizer of an event its guests and its invitations.
func (s *Site) guests(ctx context.Context, v *visit) (templ.Component, error) {
	id, query := v.id("event_id"), v.page.URL.Query()
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	d := view.GuestsData{Details: &details.Response, Status: gen.InvitationStatus(query.Get("status")),
		Shown: gen.ListParticipantsStatusGoing}
	if query.Get(view.GuestsField) == string(gen.ListParticipantsStatusRemoved) {
		d.Shown = gen.ListParticipantsStatusRemoved
	}
	if err := s.readQuestions(ctx, &d); err != nil {
		return nil, err
	}
	params := gen.ListParticipantsParams{EventID: id, Limit: gen.NewOptInt(guestsPerPage), Status: gen.NewOptListParticipantsStatus(d.Shown),
		Cursor: optional(query, "cursor")}
	filterGuests(query, &params, &d)
	guests, err := s.api.ListParticipants(ctx, params)
	if err != nil {
		return nil, err
	}
	d.Guests, d.MoreGuests = guests.Items, v.more("cursor", guests.NextCursor)
	if err := s.readRequests(ctx, v, &d); err != nil {
		return nil, err
	}
	if d.Details.Event.Visibility == gen.EventVisibilityPrivate {
		invitations, err := s.api.ListInvitations(ctx, gen.ListInvitationsParams{
			EventID: id, Limit: gen.NewOptInt(guestsPerPage), Cursor: optional(query, "invitations"),
			Status: gen.OptInvitationStatus{Value: d.Status, Set: d.Status != ""},
		})
		if err != nil {
			return nil, err
		}
		if err := s.readInviteLinks(ctx, v, &d); err != nil {
			return nil, err
		}
		d.Invitations, d.MoreInvitations, d.Messages = invitations.Items, v.more("invitations", invitations.NextCursor), invitations.Messages
	}
	if err := s.readEmails(ctx, v, &d); err != nil {
		return nil, err
	}
	if d.Details.Event.Waitlist != gen.EventWaitlistOff || d.Details.WaitlistCount > 0 {
		if err := s.readWaitlist(ctx, v, &d); err != nil {
			return nil, err
		}
	}
	v.page.Title = v.page.T("guests.of", "Event", v.page.EventTitle(d.Details.Event.Title))
	return view.Guests(v.page, d), nil
}

// inviteToEvent invites a user by an e-mail address, or else a phone number.
func (s *Site) inviteToEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	f, to := formReader{Values: form}, strings.TrimSpace(form.Get("invitee"))
	request := &gen.CreateEventInvitationRequest{Message: f.text("message")}
	if strings.Contains(to, "@") {
		request.Email = gen.NewOptString(to)
	} else {
		request.InvitedPhone = gen.NewOptString(to)
	}
	_, err := s.api.InviteToEvent(ctx, request, gen.InviteToEventParams{EventID: formID(form, "event_id"), IdempotencyKey: formKey(form)})
	if isRefused(err, http.StatusNotFound) {
		err = &view.Problem{Status: http.StatusNotFound, Code: "no_such_user"}
	}
	return back(form), renamed(err, map[string]string{"email": "invitee", "invited_phone": "invitee"})
}

// answerInvitation answers the invitation of the viewer to an event.
func (s *Site) answerInvitation(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	answers, err := s.formAnswers(ctx, form, "answerInvitation")
	if err != nil {
		return outcome{}, err
	}
	request := &gen.RSVPEventInvitationRequest{Status: gen.InvitationAnswer(form.Get("status")), ParticipationVisibility: formVisibility(form),
		PartySize: formParty(form), Answers: answers.list}
	_, err = s.api.AnswerInvitation(ctx, request, gen.AnswerInvitationParams{EventID: formID(form, "event_id")})
	err = answers.renamed(err)
	if request.Status == gen.InvitationAnswerAccepted {
		return joined(form), err
	}
	return backTo(form, "", view.JoinedField), err
}
