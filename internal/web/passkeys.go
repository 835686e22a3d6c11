package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// Browsers make and use passkeys only with scripts. These send the response of the browser in
// the field "credential" of a form, so that no token of the session reaches them.

// createPasskey adds the passkey that the browser has made.
func (s *Site) createPasskey(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := gen.CreatePasskeyRequest{}
	if form.Get("name") != "" {
		request.Name.SetTo(form.Get("name"))
	}
	if err := request.Credential.UnmarshalJSON([]byte(form.Get("credential"))); err != nil {
		return outcome{}, invalid("credential")
	}
	_, err := s.api.CreatePasskey(ctx, &request, gen.CreatePasskeyParams{})
	return back(form), err
}

func (s *Site) updatePasskey(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UpdatePasskey(ctx, &gen.UpdatePasskeyRequest{Name: form.Get("name")},
		gen.UpdatePasskeyParams{PasskeyID: formID(form, "passkey_id")})
	return back(form), err
}

func (s *Site) deletePasskey(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeletePasskey(ctx, gen.DeletePasskeyParams{PasskeyID: formID(form, "passkey_id")})
}

// verifyPasskeySignIn signs in with the passkey that the browser has used.
func (s *Site) verifyPasskeySignIn(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	var assertion gen.PasskeyAssertion
	if err := assertion.UnmarshalJSON([]byte(form.Get("credential"))); err != nil {
		return outcome{}, invalid("credential")
	}
	_, err := s.api.VerifyPasskeySignIn(ctx, &assertion)
	if problem, refused := errors.AsType[*view.Problem](err); refused && problem.Status == http.StatusUnauthorized {
		problem.Reason = "passkey_refused"
	}
	return outcome{to: localPath(form.Get("return_to"))}, err
}
