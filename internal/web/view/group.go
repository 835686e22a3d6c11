package view

import (
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// GroupData is what the page of a group shows.
type GroupData struct {
	Group   *gen.Group
	Members []gen.GroupMember // the first ones; none if the viewer may not list them
	Coming  EventList
	Past    EventList

	News     []gen.GroupAnnouncement // for members
	MoreNews string                  // address of earlier ones; "" if there are none
}

func (d GroupData) id() string { return d.Group.ID.String() }

// status is that of the viewer's membership; empty: none.
func (d GroupData) status() gen.GroupMemberStatus { return d.Group.ViewerStatus.Value }

func (d GroupData) incognito() bool {
	return d.Group.ViewerVisibility.Value == gen.GroupMemberVisibilityIncognito
}

// faces are the members whom the page shows.
func (d GroupData) faces() (users []gen.PublicProfile) {
	for _, m := range d.Members {
		if !m.Profile.Null {
			users = append(users, m.Profile.Value)
		}
	}
	return users
}

// announced reports whether the viewer has just written to the members.
func (d GroupData) announced(p *Page) bool {
	return p.Form.Action == "announceToGroup" && p.Form.Step == StepSent
}

// HostsGroup reports whether the viewer is the owner or a host of a group.
func HostsGroup(g *gen.Group) bool {
	return OwnsGroup(g) || g.ViewerRole.Value == gen.GroupRoleHost
}

// OwnsGroup reports whether the viewer is the owner of a group.
func OwnsGroup(g *gen.Group) bool { return g.ViewerRole.Value == gen.GroupRoleOwner }

// ListsMembers reports whether the viewer may list the members of a group.
func ListsMembers(g *gen.Group) bool {
	return g.MemberList == gen.GroupMemberListPublic || g.MemberList == gen.GroupMemberListMembers && !g.ViewerRole.Null || HostsGroup(g)
}

// IsPublicGroup reports whether other services may show a group.
func IsPublicGroup(g *gen.Group) bool {
	return g.Visibility == gen.GroupVisibilityPublic && !g.SuspendedAt.Set
}

// NewGroupJSON describes a public group in the vocabulary of schema.org.
func NewGroupJSON(g *gen.Group) ThingJSON {
	j := ThingJSON{Context: "https://schema.org", Type: "Organization", Name: g.Name, URL: g.ShareURL}
	if !g.City.Null {
		j.Address = &ThingJSON{Type: "PostalAddress", Locality: g.City.Value}
	}
	return j
}

// GroupsData is what a list of groups shows.
type GroupsData struct {
	Filter    Filter
	Groups    []gen.Group
	More      string   // address of the next groups; "" if there are none
	Continues bool     // the list begins after the first groups
	Problem   *Problem // why the filter is refused
}

// isEmpty reports whether the whole list has no groups.
func (d GroupsData) isEmpty() bool { return len(d.Groups) == 0 && d.More == "" }

// anywhere is the address of the list without a place.
func (d GroupsData) anywhere() templ.SafeURL {
	if d.Filter.Words == "" {
		return "/groups"
	}
	return templ.SafeURL("/groups?" + url.Values{"q": {d.Filter.Words}}.Encode())
}

// GroupFormData is what the form of a group shows.
type GroupFormData struct {
	Group   *gen.Group        // nil: a new one
	Sources []gen.GroupSource // its calendars
	Zone    string            // of the viewer
}

func (d GroupFormData) isNew() bool { return d.Group == nil }

// owns reports whether the form has the fields of the owner.
func (d GroupFormData) owns() bool { return d.isNew() || OwnsGroup(d.Group) }

// action is the action of the form.
func (d GroupFormData) action() string {
	if d.isNew() {
		return "createGroup"
	}
	return "updateGroup"
}

// value returns the stored value of a field, or the default of a new group.
func (d GroupFormData) value(name string) string {
	g := gen.Group{Visibility: gen.GroupVisibilityPublic, JoinPolicy: gen.GroupJoinPolicyOpen, MemberList: gen.GroupMemberListMembers}
	if !d.isNew() {
		g = *d.Group
	}
	return map[string]string{
		"name": g.Name, "description": g.Description.Value, "city": g.City.Value, "slug": g.Slug, "visibility": string(g.Visibility),
		"join_policy": string(g.JoinPolicy), "member_list": string(g.MemberList),
	}[name]
}

// groupChoices are the values of the choices in the form of a group.
var groupChoices = map[string][]string{
	"visibility":  {string(gen.GroupVisibilityPublic), string(gen.GroupVisibilityPrivate)},
	"join_policy": {string(gen.GroupJoinPolicyOpen), string(gen.GroupJoinPolicyApproval), string(gen.GroupJoinPolicyInvitation)},
	"member_list": {string(gen.GroupMemberListPublic), string(gen.GroupMemberListMembers), string(gen.GroupMemberListHosts)},
}

// GroupMembersData is what the list of the members of a group shows.
type GroupMembersData struct {
	Group        *gen.Group
	Status       gen.GroupMemberStatus // of the listed members
	Members      []gen.GroupMember
	More         string            // address of the next members; "" if there are none
	Continues    bool              // the list begins after the first members
	Requests     []gen.GroupMember // to join; only for hosts
	MoreRequests string
}

// memberStatuses are the lists that hosts choose from.
var memberStatuses = []gen.GroupMemberStatus{gen.GroupMemberStatusActive, gen.GroupMemberStatusInvited, gen.GroupMemberStatusBanned}

// MemberStatus returns which members of a group the viewer lists, if a query asks for a status.
func MemberStatus(g *gen.Group, wanted string) gen.GroupMemberStatus {
	for _, status := range memberStatuses {
		if HostsGroup(g) && string(status) == wanted {
			return status
		}
	}
	return gen.GroupMemberStatusActive
}

// unnamed is how many active members a complete list does not name; 0 if the list is not complete.
func (d GroupMembersData) unnamed() int {
	if d.Status != gen.GroupMemberStatusActive || d.Continues || d.More != "" {
		return 0
	}
	return max(0, d.Group.MemberCount-len(d.Members))
}

// decides reports whether the viewer may end a membership: hosts that of members, the owner that of hosts, too.
func (d GroupMembersData) decides(m gen.GroupMember) bool {
	return m.Role != gen.GroupRoleOwner && (OwnsGroup(d.Group) || HostsGroup(d.Group) && m.Role != gen.GroupRoleHost)
}

// on returns the address of the list with another status.
func (d GroupMembersData) on(status gen.GroupMemberStatus) templ.SafeURL {
	return templ.SafeURL(GroupURL(d.Group.ID, "members") + "?status=" + string(status))
}

// memberLabel names the member of a button, for those who do not see the row.
func (p *Page) memberLabel(label string, m gen.GroupMember) string {
	return p.labelFor(label, m.Profile)
}

// GroupShareData is what the page shows by which a group is shared.
type GroupShareData struct {
	Group *gen.Group
	QR    QR // of the address
}
