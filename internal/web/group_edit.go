package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// newGroup lets the visitor found a group.
func (s *Site) newGroup(_ context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("groups.new")
	return view.GroupForm(v.page, view.GroupFormData{}), nil
}

// editGroup lets the owner and the hosts change a group.
func (s *Site) editGroup(ctx context.Context, v *visit) (templ.Component, error) {
	g, err := s.groupOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if !view.HostsGroup(g) {
		return nil, redirect{view.PagePath(g.ShareURL)}
	}
	v.page.Title = v.page.T("edit.title", "Event", g.Name)
	sources, err := s.api.ListGroupSources(ctx, gen.ListGroupSourcesParams{GroupID: g.ID})
	if err != nil {
		return nil, err
	}
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	return view.GroupForm(v.page, view.GroupFormData{Group: g, Sources: sources.Items, Zone: zone}), nil
}

// addGroupSource subscribes a group to a calendar.
func (s *Site) addGroupSource(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.AddGroupSource(ctx, &gen.AddGroupSourceRequest{URL: strings.TrimSpace(form.Get("url"))},
		gen.AddGroupSourceParams{GroupID: formID(form, "group_id")})
	return backTo(form, "sources"), err
}

// removeGroupSource ends the subscription of a calendar.
func (s *Site) removeGroupSource(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return backTo(form, "sources"), s.api.RemoveGroupSource(ctx, gen.RemoveGroupSourceParams{GroupID: formID(form, "group_id"),
		SourceID: formID(form, "source_id")})
}

// createGroup founds a group. Its picture is the last field of the form: if it is refused, the group exists without it.
func (s *Site) createGroup(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	f := formReader{Values: form}
	request := &gen.CreateGroupRequest{Name: strings.TrimSpace(form.Get("name")), Description: f.text("description"), City: f.text("city"),
		Visibility: f.groupVisibility(), JoinPolicy: f.groupJoinPolicy(), MemberList: f.groupMemberList()}
	var err error
	if request.Lat, request.Lng, err = s.positionOf(ctx, request.City); err != nil {
		return outcome{}, err
	}
	g, err := s.api.CreateGroup(ctx, request, gen.CreateGroupParams{IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	form.Set("group_id", g.ID.String())
	form.Set("page", view.GroupURL(g.ID, "edit"))
	return outcome{to: view.PagePath(g.ShareURL), action: "updateGroup"}, s.storeGroupImage(ctx, v, g.ID)
}

// updateGroup changes what the form has: that of a host lacks the fields of the owner.
func (s *Site) updateGroup(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	id, f := formID(form, "group_id"), formReader{Values: form}
	g, err := s.api.GetGroup(ctx, gen.GetGroupParams{GroupID: id})
	if err != nil {
		return outcome{}, err
	}
	request := &gen.UpdateGroupRequest{Name: gen.NewOptString(strings.TrimSpace(form.Get("name"))), Description: f.text("description"),
		City: f.text("city"), Visibility: f.groupVisibility(), JoinPolicy: f.groupJoinPolicy(), MemberList: f.groupMemberList(),
		Slug: gen.OptString{Value: strings.TrimSpace(form.Get("slug")), Set: form.Has("slug")}}
	if request.City.Value != g.City.Value {
		if request.Lat, request.Lng, err = s.positionOf(ctx, request.City); err != nil {
			return outcome{}, err
		}
	}
	_, err = s.api.UpdateGroup(ctx, request, gen.UpdateGroupParams{GroupID: id})
	if isRefused(err, http.StatusConflict) {
		err = invalid("slug")
	}
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: view.GroupURL(id, "edit") + "?saved=yes"}, s.storeGroupImage(ctx, v, id)
}

// positionOf returns the coordinates of a city; null if the service does not know it.
func (s *Site) positionOf(ctx context.Context, city gen.OptNilString) (lat, lng gen.OptNilFloat64, err error) {
	lat, lng = gen.OptNilFloat64{Set: true, Null: true}, gen.OptNilFloat64{Set: true, Null: true}
	if city.Null {
		return lat, lng, nil
	}
	found, err := s.placeOf(ctx, city.Value)
	if found != nil {
		lat, lng = gen.NewOptNilFloat64(found.Lat), gen.NewOptNilFloat64(found.Lng)
	}
	return lat, lng, err
}

func (f *formReader) groupVisibility() gen.OptGroupVisibility {
	return gen.OptGroupVisibility{Value: gen.GroupVisibility(f.Get("visibility")), Set: f.Has("visibility")}
}

func (f *formReader) groupJoinPolicy() gen.OptGroupJoinPolicy {
	return gen.OptGroupJoinPolicy{Value: gen.GroupJoinPolicy(f.Get("join_policy")), Set: f.Has("join_policy")}
}

func (f *formReader) groupMemberList() gen.OptGroupMemberList {
	return gen.OptGroupMemberList{Value: gen.GroupMemberList(f.Get("member_list")), Set: f.Has("member_list")}
}

// storeGroupImage stores the picture of the form, if there is one.
func (s *Site) storeGroupImage(ctx context.Context, v *visit, id uuid.UUID) error {
	return v.storePicture("image", func(p picture) error {
		var request gen.SetGroupImageReq
		switch p.mediaType {
		case "image/jpeg":
			request = &gen.SetGroupImageReqImageJpeg{Data: p}
		case "image/png":
			request = &gen.SetGroupImageReqImagePNG{Data: p}
		case "image/gif":
			request = &gen.SetGroupImageReqImageGIF{Data: p}
		default:
			request = &gen.SetGroupImageReqImageWEBP{Data: p}
		}
		_, err := s.api.SetGroupImage(ctx, request, gen.SetGroupImageParams{GroupID: id})
		return err
	})
}

func (s *Site) deleteGroupImage(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeleteGroupImage(ctx, gen.DeleteGroupImageParams{GroupID: formID(form, "group_id")})
}

// deleteGroup deletes a group, for its owner.
func (s *Site) deleteGroup(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return outcome{to: "/my/groups"}, s.api.DeleteGroup(ctx, gen.DeleteGroupParams{GroupID: formID(form, "group_id")})
}
