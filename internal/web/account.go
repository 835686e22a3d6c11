package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// profile lets the visitor edit their own profile.
func (s *Site) profile(_ context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("profile.title")
	return view.Profile(v.page), nil
}

// updateMyProfile changes the fields of the form. An empty city is none.
func (s *Site) updateMyProfile(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.UpdateProfileRequest{
		DisplayName: gen.NewOptString(form.Get("display_name")), Username: gen.NewOptString(form.Get("username")), Interests: []string{},
	}
	request.City.SetToNull()
	if city := strings.TrimSpace(form.Get("city")); city != "" {
		request.City.SetTo(city)
	}
	for interest := range strings.SplitSeq(form.Get("interests"), ",") {
		if interest = strings.TrimSpace(interest); interest != "" {
			request.Interests = append(request.Interests, interest)
		}
	}
	_, err := s.api.UpdateMyProfile(ctx, request)
	return outcome{to: "/profile"}, err
}

// setAvatar uploads the picture of the form.
func (s *Site) setAvatar(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	picture, err := v.picture("picture")
	if err != nil {
		return outcome{}, err
	}
	defer picture.Close()
	var request gen.SetAvatarReq
	switch picture.mediaType {
	case "image/jpeg":
		request = &gen.SetAvatarReqImageJpeg{Data: picture}
	case "image/png":
		request = &gen.SetAvatarReqImagePNG{Data: picture}
	case "image/gif":
		request = &gen.SetAvatarReqImageGIF{Data: picture}
	default:
		request = &gen.SetAvatarReqImageWEBP{Data: picture}
	}
	_, err = s.api.SetAvatar(ctx, request)
	return back(form), err
}

func (s *Site) deleteAvatar(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeleteAvatar(ctx)
}

// settings shows how the visitor can sign in and where they are signed in, and lets them
// export or delete their data.
func (s *Site) settings(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("settings.title")
	d := view.SettingsData{}
	sessions, err := s.api.ListSessions(ctx)
	if err != nil {
		return nil, err
	}
	d.Sessions = sessions.Items
	passkeys, err := s.api.ListPasskeys(ctx)
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case refused && problem.Status == http.StatusNotFound: // the service offers none
	case err != nil:
		return nil, err
	default:
		d.Passkeys = passkeys.Items
	}
	keys, err := s.api.ListApiKeys(ctx)
	if err != nil {
		return nil, err
	}
	d.APIKeys = keys.Items
	return view.Settings(v.page, d), nil
}

func (s *Site) revokeSession(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.RevokeSession(ctx, gen.RevokeSessionParams{SessionID: formID(form, "session_id")})
}

func (s *Site) revokeOtherSessions(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.RevokeOtherSessions(ctx)
}

func (s *Site) deletePasskey(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeletePasskey(ctx, gen.DeletePasskeyParams{PasskeyID: formID(form, "passkey_id")})
}

func (s *Site) deleteAPIKey(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeleteApiKey(ctx, gen.DeleteApiKeyParams{APIKeyID: formID(form, "api_key_id")})
}

// deleteMe deletes the account, if the visitor has confirmed that.
func (s *Site) deleteMe(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if form.Get("confirm") != "yes" {
		return outcome{}, invalid("confirm")
	}
	err := s.api.DeleteMe(ctx)
	if err == nil {
		s.forget(v)
	}
	return outcome{to: "/"}, err
}
