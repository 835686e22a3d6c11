package web

import (
	"context"
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// groupMembers lists the members of a group to those who may see them. The owner and the hosts decide on requests and members.
func (s *Site) groupMembers(ctx context.Context, v *visit) (templ.Component, error) {
	g, err := s.groupOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if !view.ListsMembers(g) {
		return nil, redirect{view.PagePath(g.ShareURL)}
	}
	query := v.page.URL.Query()
	d := view.GroupMembersData{Group: g, Status: view.MemberStatus(g, query.Get("status")), Continues: query.Has("cursor")}
	err = s.together(func() error {
		list, err := s.membersOf(ctx, g, d.Status, optional(query, "cursor"))
		if err == nil {
			d.Members, d.More = list.Items, v.more("cursor", list.NextCursor)
		}
		return err
	}, func() error {
		if !view.HostsGroup(g) {
			return nil
		}
		list, err := s.membersOf(ctx, g, gen.GroupMemberStatusRequested, optional(query, "requests"))
		if err == nil {
			d.Requests, d.MoreRequests = list.Items, v.more("requests", list.NextCursor)
		}
		return err
	})
	v.page.Title, v.page.NoIndex = v.page.T("groups.members_of", "Name", g.Name), true
	return view.GroupMembers(v.page, d), err
}

func (s *Site) membersOf(ctx context.Context, g *gen.Group, status gen.GroupMemberStatus,
	cursor gen.OptString) (*gen.GroupMembersResponse, error) {
	return s.api.ListGroupMembers(ctx, gen.ListGroupMembersParams{GroupID: g.ID, Status: gen.NewOptGroupMemberStatus(status),
		Limit: gen.NewOptInt(profilesPerPage), Cursor: cursor})
}

// inviteToGroup invites the user with the entered username.
func (s *Site) inviteToGroup(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	profile, err := s.api.GetProfileByUsername(ctx, gen.GetProfileByUsernameParams{Username: enteredUsername(form)})
	if err != nil {
		return outcome{}, noSuchUser(err)
	}
	_, err = s.api.InviteToGroup(ctx, &gen.InviteToGroupRequest{UserID: profile.UserID},
		gen.InviteToGroupParams{GroupID: formID(form, "group_id")})
	page := pageOf(form)
	page.RawQuery, page.Fragment = url.Values{"status": {string(gen.GroupMemberStatusInvited)}}.Encode(), "members"
	return outcome{to: page.String()}, noSuchUser(err)
}

// updateGroupMember approves a request, bans a user, or changes the role of a member.
func (s *Site) updateGroupMember(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := gen.UpdateGroupMemberRequest{
		Role: gen.OptUpdateGroupMemberRequestRole{Value: gen.UpdateGroupMemberRequestRole(form.Get("role")), Set: form.Has("role")},
		Status: gen.OptUpdateGroupMemberRequestStatus{Value: gen.UpdateGroupMemberRequestStatus(form.Get("status")),
			Set: form.Has("status")},
	}
	_, err := s.api.UpdateGroupMember(ctx, &request,
		gen.UpdateGroupMemberParams{GroupID: formID(form, "group_id"), UserID: formID(form, "user_id")})
	return backTo(form, "members"), err
}

// removeGroupMember ends a membership, declines a request, withdraws an invitation, or lifts a ban.
func (s *Site) removeGroupMember(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.RemoveGroupMemberParams{GroupID: formID(form, "group_id"), UserID: formID(form, "user_id")}
	return backTo(form, "members"), s.api.RemoveGroupMember(ctx, params)
}

// transferGroup hands a group over to a host.
func (s *Site) transferGroup(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.TransferGroupParams{GroupID: formID(form, "group_id")}
	_, err := s.api.TransferGroup(ctx, &gen.TransferGroupRequest{UserID: formID(form, "user_id")}, params)
	return backTo(form, "members"), err
}
