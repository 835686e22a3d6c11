package group

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

const membersCursor = "group_members.1"

// membersSQL lists the members of the group $1 with the status $2 whom the viewer $3 may see, after a position.
const membersSQL = `
	FROM group_members m JOIN users u ON u.id = m.user_id JOIN profiles p ON p.user_id = m.user_id
	WHERE m.group_id = $1 AND m.status = $2 AND (m.since, m.user_id) > ($4, $5) AND u.suspended_at IS NULL AND `

var (
	membersStmt      = db.SQL("group.members", memberColumns()+membersSQL+`m.visibility = 'public' AND `+membersEnd())
	otherMembersStmt = db.SQL("group.other_members", memberColumns()+membersSQL+membersEnd())
)

func memberColumns() string {
	return `SELECT m.user_id, m.role, m.status, m.visibility, m.since, ` + user.Columns("p")
}

func membersEnd() string {
	return access.NotBlocked("m.user_id", "$3") + ` ORDER BY m.since, m.user_id LIMIT $6`
}

// memberPosition is the sort key of a member in a list.
type memberPosition struct {
	since time.Time
	user  domain.UserID
}

func readMembersCursor(cursor string) (p memberPosition, err error) {
	if cursor == "" {
		return memberPosition{since: time.Unix(0, 0).UTC()}, nil // before every member
	}
	return p, domain.ReadCursor(cursor, membersCursor, &p.since, &p.user)
}

// Members returns a page of the members with a status, the longest-standing first. Incognito ones are omitted, unless they are no
// active members. Returns Forbidden if the viewer may not list them.
func (s *Service) Members(ctx context.Context, v domain.Viewer, id domain.GroupID, status access.MemberStatus, limit int,
	cursor string) (page domain.Page[Member], err error) {
	cache.Until(ctx, time.Time{})
	after, err := readMembersCursor(cursor)
	if err != nil {
		return page, err
	}
	g, err := read(ctx, s.DB, v, id)
	if err != nil {
		return page, err
	}
	if err := g.mayList(status); err != nil {
		return page, err
	}
	stmt := membersStmt
	if status != access.ActiveMember {
		stmt = otherMembersStmt
	}
	found, err := db.All(ctx, s.DB, scanMember, stmt, id, status, v.UserID, after.since, after.user, limit+1)
	return domain.NewPage(found, limit, func(last Member) string {
		return domain.Cursor(membersCursor, last.Since, last.UserID)
	}), err
}

// mayList refuses viewers who may not list the members with a status.
func (g Group) mayList(status access.MemberStatus) error {
	switch {
	case g.Facts.Hosts() || status == access.ActiveMember && g.MemberList == ListPublic:
		return nil
	case status != access.ActiveMember || g.MemberList == ListHosts:
		return domain.Forbid(domain.NotOrganizer)
	case !g.Facts.Active():
		return domain.Forbid(domain.NotParticipant)
	default:
		return nil
	}
}
