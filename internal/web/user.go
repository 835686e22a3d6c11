package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// user shows the profile of a user, what they organize and where they go.
func (s *Site) user(ctx context.Context, v *visit) (templ.Component, error) {
	id := v.id("user_id")
	profile, err := s.api.GetProfile(ctx, gen.GetProfileParams{UserID: id})
	if err != nil {
		return nil, err
	}
	d := view.UserData{Profile: *profile}
	if v.page.SignedIn() && !v.page.Is(id) {
		if d.Blocked, d.Follow, err = s.relation(ctx, id); err != nil {
			return nil, err
		}
	}
	query := v.page.URL.Query()
	organized := gen.ListEventsParams{OrganizerID: gen.NewOptUUID(id)}
	if d.Organizes, err = s.eventsOf(ctx, query, "organizes", organized); err != nil {
		return nil, err
	}
	if d.Attends, err = s.eventsOf(ctx, query, "attends", gen.ListEventsParams{ParticipantUserID: gen.NewOptUUID(id)}); err != nil {
		return nil, err
	}
	v.page.Title, v.page.NoIndex = profile.DisplayName, len(query) > 0
	v.page.Feed = "/users/" + id.String() + "/events.atom"
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
	if problem, refused := errors.AsType[*view.Problem](err); refused && problem.Status == http.StatusNotFound {
		return false, nil, nil
	}
	return false, follow, err
}

// eventsOf returns one page of a list of events that is a part of a page. The list has a
// cursor of its own in the query.
func (s *Site) eventsOf(ctx context.Context, query url.Values, cursor string, p gen.ListEventsParams) (view.EventList, error) {
	p.Limit = gen.NewOptInt(eventsPerPage)
	p.Cursor = gen.OptString{Value: query.Get(cursor), Set: query.Get(cursor) != ""}
	list, err := s.api.ListEvents(ctx, p)
	if err != nil {
		return view.EventList{}, err
	}
	cards, err := decodeItems[gen.EventCard](list.Items)
	return view.EventList{Cards: cards, More: more(query, cursor, list.NextCursor), Continues: p.Cursor.Set}, err
}

// more returns the query of the next page of a list, or "" on the last one.
func more(query url.Values, name string, next gen.NilString) string {
	if next.Null {
		return ""
	}
	q := url.Values{}
	for key, values := range query {
		q[key] = values
	}
	q.Set(name, next.Value)
	return "?" + q.Encode()
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

// stepReported is the step of a report that has been sent.
const stepReported = "reported"

func (s *Site) createReport(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.CreateReportRequest{
		TargetType: gen.ReportTargetType(form.Get("target_type")), TargetID: formID(form, "target_id"), Reason: gen.ReportReason(form.Get("reason")),
	}
	if comment := form.Get("comment"); comment != "" {
		request.Comment = gen.NewOptNilString(comment)
	}
	_, err := s.api.CreateReport(ctx, request, gen.CreateReportParams{})
	return outcome{step: stepReported}, err
}
