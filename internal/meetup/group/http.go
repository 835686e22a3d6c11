package group

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on groups, except pictures.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListGroups serves GET /groups.
func (h *Handler) ListGroups(ctx context.Context, params gen.ListGroupsParams) (*gen.GroupsResponse, error) {
	var wrong domain.Problems
	httpapi.CheckCircle(&wrong, params.Lat.Set, params.Lng.Set, params.RadiusKm.Set)
	if params.Slug.Set {
		sent := map[string]bool{"q": params.Q.Set, "city": params.City.Set, "lat": params.Lat.Set, "lng": params.Lng.Set,
			"radius_km": params.RadiusKm.Set, "cursor": params.Cursor.Set}
		checkAlone(&wrong, func(name string) bool { return sent[name] })
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	f := Filter{Query: params.Q.Or(""), City: params.City.Or(""), Slug: params.Slug.Or(""), Limit: params.Limit.Or(domain.DefaultLimit),
		Cursor: params.Cursor.Or("")}
	if lat, ok := params.Lat.Get(); ok {
		f.Near = &geo.Circle{Lat: lat, Lng: params.Lng.Value, RadiusKm: params.RadiusKm.Value}
	}
	return h.page(h.service.List(ctx, httpapi.Viewer(ctx), f))
}

// ListMyGroups serves GET /me/groups.
func (h *Handler) ListMyGroups(ctx context.Context, params gen.ListMyGroupsParams) (*gen.GroupsResponse, error) {
	return h.page(h.service.Mine(ctx, httpapi.Viewer(ctx), params.Limit.Or(domain.DefaultLimit), params.Cursor.Or("")))
}

// CreateGroup serves POST /groups.
func (h *Handler) CreateGroup(ctx context.Context, req *gen.CreateGroupRequest, _ gen.CreateGroupParams) (*gen.Group, error) {
	return h.one(h.service.Create(ctx, httpapi.Viewer(ctx), newOf(req)))
}

func newOf(req *gen.CreateGroupRequest) Change {
	return Change{Name: &req.Name, Description: httpapi.Opt(req.Description), City: httpapi.Opt(req.City), Lat: httpapi.Opt(req.Lat),
		Lng: httpapi.Opt(req.Lng), Visibility: sent[access.Visibility](req.Visibility.Get()), JoinPolicy: sent[string](req.JoinPolicy.Get()),
		MemberList: sent[string](req.MemberList.Get())}
}

func changeOf(req *gen.UpdateGroupRequest) Change {
	return Change{Name: sent[string](req.Name.Get()), Slug: sent[string](req.Slug.Get()), Description: httpapi.Opt(req.Description),
		City: httpapi.Opt(req.City), Lat: httpapi.Opt(req.Lat), Lng: httpapi.Opt(req.Lng),
		Visibility: sent[access.Visibility](req.Visibility.Get()), JoinPolicy: sent[string](req.JoinPolicy.Get()),
		MemberList: sent[string](req.MemberList.Get())}
}

// sent returns a pointer to a value that was sent, or nil.
func sent[to, from ~string](value from, ok bool) *to {
	if !ok {
		return nil
	}
	return new(to(value))
}

// GetGroup serves GET /groups/{group_id}.
func (h *Handler) GetGroup(ctx context.Context, params gen.GetGroupParams) (*gen.Group, error) {
	return h.one(h.service.Get(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID)))
}

// UpdateGroup serves PATCH /groups/{group_id}.
func (h *Handler) UpdateGroup(ctx context.Context, req *gen.UpdateGroupRequest, params gen.UpdateGroupParams) (*gen.Group, error) {
	return h.one(h.service.Update(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), changeOf(req)))
}

// DeleteGroup serves DELETE /groups/{group_id}.
func (h *Handler) DeleteGroup(ctx context.Context, params gen.DeleteGroupParams) error {
	return h.service.Delete(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID))
}

// JoinGroup serves POST /groups/{group_id}/membership.
func (h *Handler) JoinGroup(ctx context.Context, req gen.OptJoinGroupRequest, params gen.JoinGroupParams) (*gen.GroupMember, error) {
	visibility := string(req.Value.Visibility.Or(""))
	return memberAPI(h.service.Join(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), visibility))
}

// LeaveGroup serves DELETE /groups/{group_id}/membership.
func (h *Handler) LeaveGroup(ctx context.Context, params gen.LeaveGroupParams) error {
	return h.service.Leave(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID))
}

// ListGroupMembers serves GET /groups/{group_id}/members.
func (h *Handler) ListGroupMembers(ctx context.Context, params gen.ListGroupMembersParams) (*gen.GroupMembersResponse, error) {
	status := access.MemberStatus(params.Status.Or(gen.GroupMemberStatusActive))
	page, err := h.service.Members(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), status, params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.GroupMember, len(page.Items))
	for i, m := range page.Items {
		items[i] = m.api()
	}
	return &gen.GroupMembersResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// ListGroupEvents serves GET /groups/{group_id}/events.
func (h *Handler) ListGroupEvents(ctx context.Context, params gen.ListGroupEventsParams) (*gen.MyEventsResponse, error) {
	past := params.Period.Value == gen.ListGroupEventsPeriodPast
	page, err := h.service.Events(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), past, params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventCard, len(page.Items))
	for i, c := range page.Items {
		items[i] = event.CardAPI(c, h.service.Pages)
	}
	return &gen.MyEventsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// AnnounceToGroup serves POST /groups/{group_id}/announcements.
func (h *Handler) AnnounceToGroup(ctx context.Context, req *gen.AnnounceToGroupRequest,
	params gen.AnnounceToGroupParams) (*gen.GroupAnnouncement, error) {
	a, err := h.service.Announce(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), req.Body)
	if err != nil {
		return nil, err
	}
	return new(a.api()), nil
}

// ListGroupAnnouncements serves GET /groups/{group_id}/announcements.
func (h *Handler) ListGroupAnnouncements(ctx context.Context,
	params gen.ListGroupAnnouncementsParams) (*gen.GroupAnnouncementsResponse, error) {
	page, err := h.service.Announcements(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.GroupAnnouncement, len(page.Items))
	for i, a := range page.Items {
		author := user.NullAPI(a.Profile)
		items[i] = a.api()
		items[i].Author = gen.OptNilPublicProfile{Value: author.Value, Set: true, Null: author.Null}
	}
	return &gen.GroupAnnouncementsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

func (a Announcement) api() gen.GroupAnnouncement {
	return gen.GroupAnnouncement{ID: uuid.UUID(a.ID), GroupID: uuid.UUID(a.Group), AuthorID: uuid.UUID(a.Author), Body: a.Body,
		CreatedAt: a.CreatedAt}
}

// UpdateGroupMember serves PATCH /groups/{group_id}/members/{user_id}.
func (h *Handler) UpdateGroupMember(ctx context.Context, req *gen.UpdateGroupMemberRequest,
	params gen.UpdateGroupMemberParams) (*gen.GroupMember, error) {
	c := MemberChange{Role: access.Role(req.Role.Or("")), Status: access.MemberStatus(req.Status.Or(""))}
	return memberAPI(h.service.SetMember(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), domain.UserID(params.UserID), c))
}

// RemoveGroupMember serves DELETE /groups/{group_id}/members/{user_id}.
func (h *Handler) RemoveGroupMember(ctx context.Context, params gen.RemoveGroupMemberParams) error {
	return h.service.Remove(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), domain.UserID(params.UserID))
}

// InviteToGroup serves POST /groups/{group_id}/invitations.
func (h *Handler) InviteToGroup(ctx context.Context, req *gen.InviteToGroupRequest,
	params gen.InviteToGroupParams) (*gen.GroupMember, error) {
	return memberAPI(h.service.Invite(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), domain.UserID(req.UserID)))
}

// TransferGroup serves POST /groups/{group_id}/transfer.
func (h *Handler) TransferGroup(ctx context.Context, req *gen.TransferGroupRequest, params gen.TransferGroupParams) (*gen.Group, error) {
	return h.one(h.service.Transfer(ctx, httpapi.Viewer(ctx), domain.GroupID(params.GroupID), domain.UserID(req.UserID)))
}

func (h *Handler) page(page domain.Page[Group], err error) (*gen.GroupsResponse, error) {
	if err != nil {
		return nil, err
	}
	items := make([]gen.Group, len(page.Items))
	for i, g := range page.Items {
		items[i] = API(g, h.service.Pages)
	}
	return &gen.GroupsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

func (h *Handler) one(g Group, err error) (*gen.Group, error) {
	if err != nil {
		return nil, err
	}
	return new(API(g, h.service.Pages)), nil
}

// API returns a group as the contract describes it.
func API(g Group, pages address.Pages) gen.Group {
	out := gen.Group{
		ID: uuid.UUID(g.ID()), Slug: g.Slug, Name: g.Name, Description: gen.NullString(g.Description), City: gen.NullString(g.City),
		Lat: gen.NullFloat64(g.Lat), Lng: gen.NullFloat64(g.Lng), ImageURL: gen.NullString(g.ImageURL),
		Visibility: gen.GroupVisibility(g.Visibility), JoinPolicy: gen.GroupJoinPolicy(g.JoinPolicy),
		MemberList: gen.GroupMemberList(g.MemberList), MemberCount: int(g.MemberCount), Owner: user.NullAPI(g.Owner),
		Hosts: user.ListAPI(g.Hosts), ShareURL: pages.Group(g.Slug), CreatedAt: g.CreatedAt, UpdatedAt: g.UpdatedAt,
		ViewerRole: gen.NilGroupRole{Null: true}, ViewerStatus: gen.NilGroupMemberStatus{Null: true},
		ViewerVisibility: gen.NilGroupMemberVisibility{Null: true},
	}
	if g.SuspendedAt != nil {
		out.SuspendedAt = gen.NewOptDateTime(*g.SuspendedAt)
	}
	if g.Facts.Active() {
		out.ViewerRole = gen.NewNilGroupRole(gen.GroupRole(g.Facts.Role))
	}
	if g.ViewerVisibility != nil {
		out.ViewerStatus = gen.NewNilGroupMemberStatus(gen.GroupMemberStatus(g.Facts.Status))
		out.ViewerVisibility = gen.NewNilGroupMemberVisibility(gen.GroupMemberVisibility(*g.ViewerVisibility))
	}
	return out
}

func memberAPI(m Member, err error) (*gen.GroupMember, error) {
	if err != nil {
		return nil, err
	}
	return new(m.api()), nil
}

func (m Member) api() gen.GroupMember {
	return gen.GroupMember{
		UserID: uuid.UUID(m.UserID), Profile: user.NullAPI(m.Profile), Role: gen.GroupRole(m.Role), Status: gen.GroupMemberStatus(m.Status),
		Visibility: gen.GroupMemberVisibility(m.Visibility), Since: m.Since,
	}
}
