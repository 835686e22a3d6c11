package access

import (
	"fmt"

	"moothall/internal/domain"
)

// Member is the role of an active member of a group who is neither its owner nor a host.
const Member Role = "member"

// MemberStatus is the state of a membership; NoMember if there is none.
type MemberStatus string

// The states of a membership of a group.
const (
	NoMember     MemberStatus = ""
	Invited      MemberStatus = "invited"
	Requested    MemberStatus = "requested"
	ActiveMember MemberStatus = "active"
	Banned       MemberStatus = "banned"
)

// GroupFacts are the facts about one group and one viewer that the policy depends on.
type GroupFacts struct {
	ID         domain.GroupID
	OwnerID    domain.UserID
	Visibility Visibility
	Suspended  bool         // by moderators
	Role       Role         // of the viewer; counts only for active members
	Status     MemberStatus // of the viewer
	Blocked    bool         // viewer and owner: one blocks the other
}

// Owns reports whether the viewer is the owner.
func (f GroupFacts) Owns() bool { return f.Active() && f.Role == Owner }

// Hosts reports whether the viewer is the owner or a host.
func (f GroupFacts) Hosts() bool { return f.Active() && (f.Role == Owner || f.Role == Host) }

// Active reports whether the viewer belongs to the group.
func (f GroupFacts) Active() bool { return f.Status == ActiveMember }

// Sees reports whether the viewer may see the group (policy "Groups"). SeesGroup is the same in SQL.
func (f GroupFacts) Sees() bool {
	switch {
	case f.Owns():
		return true
	case f.Blocked:
		return false
	case f.Suspended:
		return f.Hosts()
	default:
		return f.Visibility == Public || f.Active() || f.Status == Invited
	}
}

// MustHost refuses viewers who are neither the owner nor a host.
func (f GroupFacts) MustHost() error {
	if !f.Hosts() {
		return domain.Forbid(domain.NotOrganizer)
	}
	return nil
}

// MustOwn refuses viewers who are not the owner. Only hosts get the reason NotOwner.
func (f GroupFacts) MustOwn() error {
	if err := f.MustHost(); err != nil {
		return err
	}
	if !f.Owns() {
		return domain.Forbid(domain.NotOwner)
	}
	return nil
}

// GroupFactsSQL lists the columns of GroupFacts for the groups row g, with the left join GroupMemberSQL. viewer is the parameter of
// the viewer's id.
func GroupFactsSQL(g, viewer string) string {
	return fmt.Sprintf(`%[1]s.id, %[1]s.owner_id, %[1]s.visibility, %[1]s.suspended_at IS NOT NULL,
		COALESCE(vm.role, ''), COALESCE(vm.status, ''), NOT (%[2]s)`, g, NotBlocked(g+".owner_id", viewer))
}

// GroupMemberSQL joins the membership vm of the viewer to the groups row g.
func GroupMemberSQL(g, viewer string) string {
	return fmt.Sprintf(` LEFT JOIN group_members vm ON vm.group_id = %s.id AND vm.user_id = %s `, g, viewer)
}

// Dest returns the scan targets, in the order of GroupFactsSQL.
func (f *GroupFacts) Dest() []any {
	return []any{&f.ID, &f.OwnerID, &f.Visibility, &f.Suspended, &f.Role, &f.Status, &f.Blocked}
}

// SeesGroup is GroupFacts.Sees in SQL: a condition on the groups row g. viewer is the parameter of the viewer's id, or Anonymous.
func SeesGroup(g, viewer string) string {
	if viewer == Anonymous {
		return fmt.Sprintf(`(%[1]s.visibility = 'public' AND %[1]s.suspended_at IS NULL)`, g)
	}
	return fmt.Sprintf(`(%[1]s.owner_id = %[2]s OR %[3]s AND (
		%[1]s.suspended_at IS NULL AND (%[1]s.visibility = 'public' OR %[4]s) OR %[5]s))`,
		g, viewer, NotBlocked(g+".owner_id", viewer), inGroup(g+".id", viewer, `gm.status IN ('active', 'invited')`),
		HostsGroup(g+".id", viewer))
}

// HostsGroup is GroupFacts.Hosts in SQL: the condition that the user is the owner or a host of the group with an id.
func HostsGroup(id, user string) string {
	return inGroup(id, user, `gm.status = 'active' AND gm.role IN ('owner', 'host')`)
}

// InGroup is GroupFacts.Active in SQL.
func InGroup(id, user string) string { return inGroup(id, user, `gm.status = 'active'`) }

func inGroup(id, user, condition string) string {
	return fmt.Sprintf(`EXISTS (SELECT 1 FROM group_members gm WHERE gm.group_id = %s AND gm.user_id = %s AND %s)`, id, user, condition)
}
