package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// user shows the profile of a user, what they organize and where they go. An earlier username leads to the present one.
func (s *Site) user(ctx context.Context, v *visit) (templ.Component, error) {
	profile, err := s.api.GetProfileByUsername(ctx, gen.GetProfileByUsernameParams{Username: v.r.PathValue("username")})
	if err != nil {
		return nil, err
	}
	if err := v.moveTo(view.PersonURL(*profile)); err != nil {
		return nil, err
	}
	return s.showUser(ctx, v, profile)
}

// userByID leads to the address that people share.
func (s *Site) userByID(ctx context.Context, v *visit) (templ.Component, error) {
	profile, err := s.api.GetProfile(ctx, gen.GetProfileParams{UserID: v.id("user_id")})
	if err != nil {
		return nil, err
	}
	if err := v.moveTo(view.PersonURL(*profile)); err != nil {
		return nil, err
	}
	return s.showUser(ctx, v, profile)
}

func (s *Site) showUser(ctx context.Context, v *visit, profile *gen.PublicProfile) (_ templ.Component, err error) {
	id := profile.UserID
	d := view.UserData{Profile: *profile}
	err = s.together(func() (err error) {
		if v.page.SignedIn() && !v.page.Is(id) {
			d.Blocked, d.Follow, err = s.relation(ctx, id)
		}
		return err
	}, func() (err error) {
		d.Organizes, err = s.eventsOf(ctx, v, "organizes", gen.ListEventsParams{OrganizerID: gen.NewOptUUID(id)})
		return err
	}, func() (err error) {
		d.Attends, err = s.eventsOf(ctx, v, "attends", gen.ListEventsParams{ParticipantUserID: gen.NewOptUUID(id)})
		return err
	})
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.NoIndex = v.page.Name(*profile), v.page.URL.RawQuery != ""
	v.page.Description, v.page.Preview = view.AboutPerson(*profile), s.personPreview(*profile, v.page.Title)
	v.page.Feed = &url.URL{Path: view.UserURL(id) + "/events"}
	v.page.Frame = s.frame(listFrame(url.Values{"organizer_id": {id.String()}}))
	return view.User(v.page, d), nil
}

// relation returns whether the viewer blocks a user, and the follows between the two: nil if
// there is a block.
func (s *Site) relation(ctx context.Context, user uuid.UUID) (blocked bool, follow *gen.FollowStatus, err error) {
	block, err := s.api.GetBlock(ctx, gen.GetBlockParams{UserID: user})
	if err != nil || block.Blocked {
		return err == nil, nil, err
	}
	follow, err = s.api.GetFollow(ctx, gen.GetFollowParams{UserID: user})
	if isRefused(err, http.StatusNotFound) {
		return false, nil, nil
	}
	return false, follow, err
}

// eventsOf returns some events of a list. The cursor of the list is the named parameter of the page.
func (s *Site) eventsOf(ctx context.Context, v *visit, parameter string, p gen.ListEventsParams) (view.EventList, error) {
	p.Limit, p.Cursor = gen.NewOptInt(eventsPerPage), optional(v.page.URL.Query(), parameter)
	list, err := s.api.ListEvents(ctx, p)
	if err != nil {
		return view.EventList{}, err
	}
	return view.EventList{Cards: list.Items.Values(), More: v.more(parameter, list.NextCursor)}, nil
}

func (s *Site) followUser(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.FollowUser(ctx, gen.FollowUserParams{UserID: formID(form, "user_id")})
	return back(form), err
}

func (s *Site) unfollowUser(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UnfollowUser(ctx, gen.UnfollowUserParams{UserID: formID(form, "user_id")})
	return back(form), err
}

func (s *Site) blockUser(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.BlockUser(ctx, gen.BlockUserParams{UserID: formID(form, "user_id")})
	return back(form), err
}

func (s *Site) unblockUser(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.UnblockUser(ctx, gen.UnblockUserParams{UserID: formID(form, "user_id")})
}
