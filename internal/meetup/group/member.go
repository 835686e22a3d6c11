package group

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The visibilities of a membership. Incognito members only count.
const (
	public    = "public"
	incognito = "incognito"
)

// isHost is the condition that the membership m is that of a host beside the owner. It says that hosts are no members, because this is
// the condition of the index of hosts.
const isHost = `m.status = 'active' AND m.visibility = 'public' AND m.role <> 'member' AND m.role = 'host'`

// Member is a membership of a group.
type Member struct {
	UserID     domain.UserID
	Profile    *user.Public // nil while suspended
	Role       access.Role
	Status     access.MemberStatus
	Visibility string
	Since      time.Time // of the status
}

func (m Member) active() bool { return m.Status == access.ActiveMember }

// mustNotOwn refuses changes of the owner, who can only hand the group over.
func (m Member) mustNotOwn() error {
	if m.Role == access.Owner {
		return domain.Forbid(domain.BlockedByState)
	}
	return nil
}

var (
	memberStmt = db.SQL("group.member", `
		SELECT m.user_id, m.role, m.status, m.visibility, m.since, `+user.Columns("p")+` FROM group_members m
		LEFT JOIN users u ON u.id = m.user_id AND u.suspended_at IS NULL LEFT JOIN profiles p ON p.user_id = u.id
		WHERE m.group_id = $1 AND m.user_id = $2`)

	putMemberStmt = db.SQL("group.put_member", `
		INSERT INTO group_members (group_id, user_id, role, status, visibility, since) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (group_id, user_id) DO UPDATE
			SET role = excluded.role, status = excluded.status, visibility = excluded.visibility, since = excluded.since`)

	deleteMemberStmt = db.SQL("group.delete_member", `DELETE FROM group_members WHERE group_id = $1 AND user_id = $2`)

	countStatusStmt = db.SQL("group.count_status", `SELECT COUNT(*) FROM group_members WHERE group_id = $1 AND status = $2`)
	countHostsStmt  = db.SQL("group.count_hosts", `
		SELECT COUNT(*) FROM group_members m WHERE m.group_id = $1 AND `+isHost)

	// inviteeStmt finds the user $1 if neither the viewer $2 nor the owner $3 is in a block with them.
	inviteeStmt = db.SQL("group.invitee", `
		SELECT 1 FROM users u JOIN profiles p ON p.user_id = u.id
		WHERE u.id = $1 AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$2")+` AND `+access.NotBlocked("u.id", "$3"))
)

func scanMember(row db.Row, m *Member) error {
	var profile user.ProfileColumns
	err := row.Scan(append([]any{&m.UserID, &m.Role, &m.Status, &m.Visibility, &m.Since}, profile.Dest()...)...)
	m.Profile = profile.Public()
	return err
}

// readMember returns a Member with NoMember if the user has no membership.
func readMember(ctx context.Context, q db.Querier, id domain.GroupID, of domain.UserID) (Member, error) {
	m := Member{UserID: of, Role: access.Member, Visibility: public}
	all, err := db.All(ctx, q, scanMember, memberStmt, id, of)
	if err == nil && len(all) > 0 {
		m = all[0]
	}
	return m, err
}

func putMember(ctx context.Context, tx db.Tx, id domain.GroupID, m Member) {
	tx.Queue(ctx, putMemberStmt, id, m.UserID, m.Role, m.Status, m.Visibility, m.Since)
	tx.Changed(access.Rights.Of(m.UserID), Members.Of(id))
}

// become changes the status of a membership of a locked group. Active ones count.
func (g Group) become(ctx context.Context, tx db.Tx, m Member, status access.MemberStatus, now time.Time) (Member, error) {
	was := m
	if m.Status != status {
		m.Status, m.Since = status, now
	}
	if !m.active() {
		m.Role = access.Member
	}
	if m.active() && !was.active() && g.MemberCount >= maxMembers {
		return m, domain.Forbid(domain.MemberLimit)
	}
	g.count(ctx, tx, was, m)
	putMember(ctx, tx, g.ID(), m)
	return m, nil
}

// end deletes a membership of a locked group.
func (g Group) end(ctx context.Context, tx db.Tx, m Member) error {
	g.count(ctx, tx, m, Member{})
	tx.Queue(ctx, deleteMemberStmt, g.ID(), m.UserID)
	tx.Changed(access.Rights.Of(m.UserID), Members.Of(g.ID()))
	notify.Retract(ctx, tx, g.notification(notify.GroupInvitation, m.UserID, domain.UserID{}))
	if m.Status != access.Requested {
		return nil
	}
	n := g.notification(notify.GroupRequested, domain.UserID{}, m.UserID)
	return notify.RetractAnnounced(ctx, tx, n, notify.GroupHosts(g.ID()))
}

func (g Group) count(ctx context.Context, tx db.Tx, was, is Member) {
	if was.active() != is.active() {
		delta := 1
		if was.active() {
			delta = -1
		}
		tx.Queue(ctx, countStmt, g.ID(), delta)
	}
}

// notification is about the group.
func (g Group) notification(kind notify.Kind, to, actor domain.UserID) notify.Notification {
	return notify.Notification{Kind: kind, To: to, Actor: actor, Subject: g.ID().String()}
}

// mustHaveFewer returns Forbidden if the group has a number of memberships with a status.
func (g Group) mustHaveFewer(ctx context.Context, tx db.Tx, limit int, status access.MemberStatus, reason domain.Reason) error {
	var n int
	if err := tx.One(ctx, countStatusStmt, g.ID(), status).Scan(&n); err != nil {
		return err
	}
	if n >= limit {
		return domain.Forbid(reason)
	}
	return nil
}

// joins returns the status that a join gives a user, or its refusal.
func (g Group) joins(status access.MemberStatus) (access.MemberStatus, error) {
	switch {
	case status == access.ActiveMember:
		return status, nil
	case status == access.Banned:
		return "", domain.Forbid(domain.Removed)
	case g.Facts.Suspended:
		return "", domain.Forbid(domain.BlockedByState)
	case status == access.Invited || g.JoinPolicy == JoinOpen:
		return access.ActiveMember, nil
	case status == access.Requested || g.JoinPolicy == JoinApproval:
		return access.Requested, nil
	default:
		return "", domain.Forbid(domain.InvitationRequired)
	}
}

// Join makes the viewer a member, or lets them ask to be one. An empty visibility is public at first, and unchanged later.
// Returns Forbidden for the reasons of joins and beyond the limits, RateLimited beyond the requests of a day.
func (s *Service) Join(ctx context.Context, v domain.Viewer, id domain.GroupID, visibility string) (m Member, err error) {
	g, err := read(ctx, s.DB, v, id)
	if err != nil {
		return m, err
	}
	if status, err := g.joins(g.Facts.Status); err == nil && status == access.Requested && g.Facts.Status == access.NoMember {
		if err := s.Limits.Spend(ctx, RequestsPerGroupDay, id.String()); err != nil {
			return m, err
		}
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		m, err = s.join(ctx, tx, g, v.UserID, visibility, now)
		return err
	})
	return m, err
}

func (s *Service) join(ctx context.Context, tx db.Tx, g Group, of domain.UserID, visibility string, now time.Time) (m Member, err error) {
	if m, err = readMember(ctx, tx, g.ID(), of); err != nil {
		return m, err
	}
	was := m.Status
	status, err := g.joins(was)
	if err != nil {
		return m, err
	}
	if was != access.ActiveMember && was != access.Requested {
		if err := mustHaveRoom(ctx, tx, of); err != nil {
			return m, err
		}
	}
	if status == access.Requested && was == access.NoMember {
		if err := g.mustHaveFewer(ctx, tx, maxRequests, access.Requested, domain.RequestLimit); err != nil {
			return m, err
		}
		n := g.notification(notify.GroupRequested, domain.UserID{}, of)
		if err := notify.Announce(ctx, tx, now, n, notify.GroupHosts(g.ID())); err != nil {
			return m, err
		}
	}
	if visibility != "" && m.Role == access.Member { // hosts are never incognito
		m.Visibility = visibility
	}
	if m, err = g.become(ctx, tx, m, status, now); err != nil {
		return m, err
	}
	return readMember(ctx, tx, g.ID(), of)
}

// Leave ends the membership of the viewer, declines an invitation or withdraws a request. It also works while the group is hidden.
// Returns NotFound if there is none, Forbidden for the owner.
func (s *Service) Leave(ctx context.Context, v domain.Viewer, id domain.GroupID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := lockRow(ctx, tx, id); err != nil {
			return err
		}
		m, err := readMember(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		if m.Status == access.NoMember || m.Status == access.Banned {
			return domain.NotFound
		}
		if err := m.mustNotOwn(); err != nil {
			return err
		}
		return Group{Facts: access.GroupFacts{ID: id}}.end(ctx, tx, m)
	})
}
