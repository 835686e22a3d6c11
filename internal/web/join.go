package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// joinEvent joins an event, by the invitation link of the form if it has one. It starts the payment if the button that pays has sent the
// form. A visitor without a session gets a code by e-mail first.
func (s *Site) joinEvent(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	switch {
	case !v.page.SignedIn() && !s.Methods.Email:
		return outcome{to: loginPath(localPath(form.Get("page")))}, nil
	case !v.page.SignedIn() && form.Get("email") == "":
		return outcome{step: view.StepEmail}, nil
	case !v.page.SignedIn():
		return s.startEmailSignIn(ctx, v, form)
	case form.Has(view.TokenField):
		return s.acceptInviteLink(ctx, form)
	case form.Has("pay"):
		return s.createPaymentIntent(ctx, form)
	}
	answers, err := s.formAnswers(ctx, form, "joinEvent")
	if err != nil {
		return outcome{}, err
	}
	request := gen.JoinEventRequest{ParticipationVisibility: formVisibility(form), PartySize: formParty(form), Answers: answers.list}
	_, err = s.api.JoinEvent(ctx, gen.NewOptJoinEventRequest(request), gen.JoinEventParams{EventID: formID(form, "event_id")})
	return joined(form), answers.renamed(err)
}

// joined shows the page of an event to a visitor who has just joined it.
func joined(form url.Values) outcome {
	page := pageOf(form)
	query := page.Query()
	query.Del(view.VisibilityField)
	query.Set(view.JoinedField, "yes")
	page.RawQuery, page.Fragment = query.Encode(), ""
	return outcome{to: page.String()}
}

func (s *Site) leaveEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.LeaveEvent(ctx, gen.LeaveEventParams{EventID: formID(form, "event_id")})
	return backTo(form, "", view.JoinedField), err
}

// changeParticipation changes who sees that the visitor goes to an event, how many people come, or the visitor's answers. Of a private
// event, this is part of the answer to the invitation.
func (s *Site) changeParticipation(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	event := formID(form, "event_id")
	answers, err := s.formAnswers(ctx, form, "changeParticipation")
	if err != nil {
		return outcome{}, err
	}
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: event})
	switch {
	case err != nil:
	case details.Response.ViewerParticipationStatus.Value != gen.ParticipationStatusGoing:
		err = &view.Problem{Status: http.StatusNotFound, Code: "not_found"} // only JoinEvent joins
	case details.Response.Event.Visibility == gen.EventVisibilityPrivate:
		request := &gen.RSVPEventInvitationRequest{Status: gen.InvitationAnswerAccepted, ParticipationVisibility: formVisibility(form),
			PartySize: formParty(form), Answers: answers.list}
		_, err = s.api.AnswerInvitation(ctx, request, gen.AnswerInvitationParams{EventID: event})
	default:
		request := gen.JoinEventRequest{ParticipationVisibility: formVisibility(form), PartySize: formParty(form), Answers: answers.list}
		_, err = s.api.JoinEvent(ctx, gen.NewOptJoinEventRequest(request), gen.JoinEventParams{EventID: event})
	}
	return backTo(form, "", view.JoinedField), answers.renamed(err)
}

// startEmailSignIn sends a code, or asks for another address.
func (s *Site) startEmailSignIn(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	if form.Has("other") {
		return outcome{step: view.StepEmail}, nil
	}
	_, err := s.api.StartEmailSignIn(ctx, &gen.StartEmailSignInRequest{
		Email: form.Get("email"), ReturnTo: gen.NewOptString(localPath(form.Get("return_to"))),
	})
	return outcome{step: view.StepCode}, err
}

// verifyEmailSignIn signs in, and ends the earlier session of the browser. If the form also asks to join an event, it does that
// next. If that is refused, the visitor is signed in nevertheless. If the service was too busy to join, the form comes again, and its
// visitor is signed in already.
func (s *Site) verifyEmailSignIn(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	joins := form.Has("event_id") || form.Has(view.TokenField)
	if !joins || !v.isSignedInAs(form.Get("email")) {
		if err := s.signInByCode(ctx, v, form); err != nil {
			return outcome{}, err
		}
	}
	if !joins {
		return outcome{to: localPath(form.Get("return_to"))}, nil
	}
	out, err := s.joinEvent(ctx, v, form)
	out.action = "joinEvent"
	return out, err
}

// isSignedInAs reports whether the visitor is signed in with an address.
func (v *visit) isSignedInAs(email string) bool {
	return v.page.SignedIn() && strings.EqualFold(v.page.Viewer.User.Email.Value, strings.TrimSpace(email))
}

func (s *Site) signInByCode(ctx context.Context, v *visit, form url.Values) error {
	earlier, err := s.currentSession(ctx, v)
	if err != nil {
		return err
	}
	in, err := s.api.VerifyEmailSignIn(ctx, &gen.VerifyEmailSignInRequest{Email: form.Get("email"), Code: form.Get("code")})
	if err != nil {
		return err
	}
	v.page.Viewer = &in.CurrentUser
	s.welcome(ctx, v, form.Get("timezone"), form.Get("name"))
	if earlier == uuid.Nil {
		return nil
	}
	err = s.api.RevokeSession(ctx, gen.RevokeSessionParams{SessionID: earlier})
	if isRefused(err, http.StatusNotFound) || isRefused(err, http.StatusServiceUnavailable) {
		return nil // the code is used: the form must not come again
	}
	return err
}

// welcome stores the name that a new visitor has entered, unless they have chosen one, and the time zone and the language of their
// browser. If an operation refuses, the visitor is signed in nevertheless: the default stays, and pages ask for the name.
func (s *Site) welcome(ctx context.Context, v *visit, zone, name string) {
	if !v.page.Viewer.Profile.NameChosen && name != "" {
		if me, err := s.api.UpdateMyProfile(ctx, &gen.UpdateProfileRequest{DisplayName: gen.NewOptString(name)}); err == nil {
			v.page.Viewer = me
		}
	}
	if s.Clock().Sub(v.page.Viewer.User.CreatedAt) < newAccount {
		request := gen.UpdateNotificationPreferencesRequest{Locale: gen.NewOptNilString(v.page.Language.Locale())}
		if zone != "" {
			request.Timezone = gen.NewOptNilString(zone)
		}
		_, _ = s.api.UpdateNotificationPreferences(ctx, &request)
	}
}

// chooseName sets the name of a visitor who has not chosen one.
func (s *Site) chooseName(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UpdateMyProfile(ctx, &gen.UpdateProfileRequest{DisplayName: gen.NewOptString(form.Get("display_name"))})
	return back(form), err
}
