package web

import (
	"context"
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

// updateMyProfile stores the picture of the form, if there is one, and changes the fields. An empty city is none.
func (s *Site) updateMyProfile(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if err := v.storePicture("picture", func(p picture) error { return s.setAvatar(ctx, p) }); err != nil {
		return outcome{}, err
	}
	request := &gen.UpdateProfileRequest{
		DisplayName: gen.NewOptString(form.Get("display_name")), Username: gen.NewOptString(form.Get("username")),
		Interests: commaSeparated(form.Get("interests")),
	}
	request.City.SetToNull()
	if city := strings.TrimSpace(form.Get("city")); city != "" {
		request.City.SetTo(city)
	}
	_, err := s.api.UpdateMyProfile(ctx, request)
	return outcome{to: "/profile"}, err
}

func (s *Site) setAvatar(ctx context.Context, picture picture) error {
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
	_, err := s.api.SetAvatar(ctx, request)
	return err
}

func (s *Site) deleteAvatar(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeleteAvatar(ctx)
}
