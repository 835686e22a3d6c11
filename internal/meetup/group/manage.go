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

// MemberChange is a change of a membership by a host. Empty fields were not sent.
type MemberChange struct {
	Role   access.Role         // Host or Member
	Status access.MemberStatus // ActiveMember or Banned
}

// manage changes the membership of a user in a locked group, for a viewer who hosts it. Only the owner manages hosts.
func (s *Service) manage(ctx context.Context, v domain.Viewer, id domain.GroupID, of domain.UserID,
	change func(tx db.Tx, g Group, m Member, now time.Time) error) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, of)
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := g.Facts.MustHost(); err != nil {
			return err
		}
		m, err := readMember(ctx, tx, id, of)
		if err != nil {
			return err
		}
		if m.Status == access.NoMember {
			return domain.NotFound
		}
		if m.active() && m.Role == access.Host {
			if err := g.Facts.MustOwn(); err != nil {
				return err
			}
		}
		if err := m.mustNotOwn(); err != nil {
			return err
		}
		return change(tx, g, m, now)
	})
}

// SetMember approves a request, bans a user, or changes the role of a member. Returns Forbidden unless the viewer hosts the group, and in
// the wrong state of the membership; NotFound if the user has none.
func (s *Service) SetMember(ctx context.Context, v domain.Viewer, id domain.GroupID, of domain.UserID,
	c MemberChange) (m Member, err error) {
	err = s.manage(ctx, v, id, of, func(tx db.Tx, g Group, was Member, now time.Time) error {
		m = was
		if c.Status == access.Banned {
			m, err = s.ban(ctx, tx, g, m, v.UserID, now)
		} else if c.Status == access.ActiveMember {
			m, err = g.approve(ctx, tx, m, v.UserID, now)
		}
		if err != nil {
			return err
		}
		if c.Role != "" {
			if m, err = g.promote(ctx, tx, m, c.Role); err != nil {
				return err
			}
		}
		m, err = readMember(ctx, tx, id, of)
		return err
	})
	return m, err
}

func (g Group) approve(ctx context.Context, tx db.Tx, m Member, by domain.UserID, now time.Time) (Member, error) {
	if m.active() {
		return m, nil
	}
	if m.Status != access.Requested {
		return m, domain.Forbid(domain.BlockedByState)
	}
	m, err := g.become(ctx, tx, m, access.ActiveMember, now)
	if err != nil {
		return m, err
	}
	return m, notify.Put(ctx, tx, now, g.notification(notify.GroupApproved, m.UserID, by))
}

func (s *Service) ban(ctx context.Context, tx db.Tx, g Group, m Member, by domain.UserID, now time.Time) (Member, error) {
	if m.Status == access.Banned {
		return m, nil
	}
	wasActive := m.active()
	if err := g.end(ctx, tx, m); err != nil {
		return m, err
	}
	m, err := g.become(ctx, tx, Member{UserID: m.UserID, Visibility: m.Visibility}, access.Banned, now)
	if err == nil {
		err = s.OnBan(ctx, tx, g.ID(), m.UserID, now)
	}
	if err != nil || !wasActive {
		return m, err
	}
	return m, notify.Put(ctx, tx, now, g.notification(notify.GroupRemoved, m.UserID, by))
}

// promote makes an active member a host, or a host a member. Only the owner may do it.
func (g Group) promote(ctx context.Context, tx db.Tx, m Member, to access.Role) (Member, error) {
	if err := g.Facts.MustOwn(); err != nil {
		return m, err
	}
	if !m.active() {
		return m, domain.Forbid(domain.BlockedByState)
	}
	if m.Role == to {
		return m, nil
	}
	if to == access.Host {
		var n int
		if err := tx.One(ctx, countHostsStmt, g.ID()).Scan(&n); err != nil {
			return m, err
		}
		if n >= maxHosts {
			return m, domain.Forbid(domain.HostLimit)
		}
		m.Visibility = public
	}
	m.Role = to
	putMember(ctx, tx, g.ID(), m)
	return m, nil
}

// Remove ends a membership, declines a request, withdraws an invitation, or lifts a ban. Returns Forbidden unless the viewer hosts the
// group, and for its owner; NotFound if the user has no membership.
func (s *Service) Remove(ctx context.Context, v domain.Viewer, id domain.GroupID, of domain.UserID) error {
	return s.manage(ctx, v, id, of, func(tx db.Tx, g Group, m Member, now time.Time) error {
		if err := g.end(ctx, tx, m); err != nil || !m.active() || of == v.UserID {
			return err
		}
		return notify.Put(ctx, tx, now, g.notification(notify.GroupRemoved, of, v.UserID))
	})
}

// Invite invites a user, or approves their request. Repeating it changes nothing. Returns NotFound for an unknown user, or one in a
// block with the viewer or the owner; Forbidden unless the viewer hosts the group, for a banned user and beyond the limits; RateLimited if
// the user has got too many invitations.
func (s *Service) Invite(ctx context.Context, v domain.Viewer, id domain.GroupID, to domain.UserID) (m Member, err error) {
	if err := s.mayInvite(ctx, v, id, to); err != nil {
		return m, err
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, to)
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if m, err = g.invitee(ctx, tx, v, to); err != nil {
			return err
		}
		if m.Status == access.Requested {
			m, err = g.approve(ctx, tx, m, v.UserID, now)
		} else if m.Status == access.NoMember {
			m, err = g.invite(ctx, tx, m, v.UserID, now)
		}
		if err != nil {
			return err
		}
		m, err = readMember(ctx, tx, id, to)
		return err
	})
	return m, err
}

// mayInvite returns the refusal of an invitation before it counts, and counts it if it reaches the user.
func (s *Service) mayInvite(ctx context.Context, v domain.Viewer, id domain.GroupID, to domain.UserID) error {
	g, err := read(ctx, s.DB, v, id)
	if err != nil {
		return err
	}
	m, err := g.invitee(ctx, s.DB, v, to)
	if err != nil || m.Status != access.NoMember {
		return err
	}
	return s.Limits.Spend(ctx, InvitationsPerInviteeDay, to.String())
}

// invitee returns the membership of a user whom the viewer invites, or the refusal.
func (g Group) invitee(ctx context.Context, q db.Querier, v domain.Viewer, to domain.UserID) (m Member, err error) {
	if err := g.Facts.MustHost(); err != nil {
		return m, err
	}
	var one int
	if err := q.One(ctx, inviteeStmt, to, v.UserID, g.Facts.OwnerID).ScanOr(domain.NotFound, &one); err != nil {
		return m, err
	}
	m, err = readMember(ctx, q, g.ID(), to)
	switch {
	case err != nil:
		return m, err
	case m.Status == access.Banned:
		return m, domain.Forbid(domain.Removed)
	case g.Facts.Suspended:
		return m, domain.Forbid(domain.BlockedByState)
	default:
		return m, nil
	}
}

func (g Group) invite(ctx context.Context, tx db.Tx, m Member, by domain.UserID, now time.Time) (Member, error) {
	if err := g.mustHaveFewer(ctx, tx, maxInvitations, access.Invited, domain.InvitationLimit); err != nil {
		return m, err
	}
	m, err := g.become(ctx, tx, m, access.Invited, now)
	if err != nil {
		return m, err
	}
	return m, notify.Put(ctx, tx, now, g.notification(notify.GroupInvitation, m.UserID, by))
}
