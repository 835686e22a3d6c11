package web

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// login shows the ways to sign in.
func (s *Site) login(ctx context.Context, v *visit) (templ.Component, error) {
	to := home(v.page.URL.Query().Get("return_to"))
	if v.page.SignedIn() {
		return nil, redirect{to}
	}
	v.page.Title, v.page.NoIndex, v.page.Module = v.page.T("login.title"), true, accountScript
	return view.Login(v.page, view.LoginData{ReturnTo: to, Error: v.page.URL.Query().Get("error")}), nil
}

// idLength is the length of an id in its text form.
const idLength = len("00000000-0000-0000-0000-000000000000")

// callCookie has the id of a phone call that the service waits for, the number to call, and the
// time zone of the browser.
const callCookie = "phone_call"

func (s *Site) startPhoneCall(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	call, err := s.api.StartPhoneCall(ctx, &gen.StartPhoneCallRequest{Phone: form.Get("phone")})
	if err != nil {
		return outcome{}, err
	}
	lasts := time.Duration(call.ExpiresInSeconds) * time.Second
	v.setCookie(s.newCookie(callCookie, call.ChallengeID.String()+"_"+call.CallPhone[1:]+"_"+form.Get("timezone"), lasts))
	return outcome{to: "/login/call?" + url.Values{"return_to": {localPath(form.Get("return_to"))}}.Encode()}, nil
}

// loginCall waits for a phone call. The browser loads it again until the call has come.
func (s *Site) loginCall(ctx context.Context, v *visit) (templ.Component, error) {
	to := localPath(v.page.URL.Query().Get("return_to"))
	value := v.cookie(callCookie)
	if len(value) <= idLength {
		return nil, redirect{"/login"}
	}
	status, err := s.api.GetPhoneCallStatus(ctx, &gen.PhoneCallStatusRequest{ChallengeID: value[:idLength]})
	if err != nil {
		return nil, err
	}
	if status.Status != gen.PhoneCallStatusStatusPending {
		v.setCookie(s.dropCookie(callCookie))
	}
	number, zone, _ := strings.Cut(value[idLength+1:], "_")
	if status.Status == gen.PhoneCallStatusStatusVerified {
		v.page.Viewer = &status.CurrentUser.Value
		s.welcome(ctx, v, zone, "")
		return nil, redirect{to}
	}
	pending := status.Status == gen.PhoneCallStatusStatusPending
	if pending {
		v.w.Header().Set("Refresh", "3")
	}
	v.page.Title, v.page.NoIndex = v.page.T("login.title"), true
	return view.LoginCall(v.page, view.CallData{Number: "+" + number, Pending: pending}), nil
}

// newAccount is the age below which an account has come from the sign-in of this request.
const newAccount = time.Minute
