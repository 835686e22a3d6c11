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

// Transfer makes a host the owner, and the viewer a host. Returns NotFound if the user does not belong to the group; Forbidden unless
// the viewer is the owner, and for a user who is no host or is suspended.
func (s *Service) Transfer(ctx context.Context, v domain.Viewer, id domain.GroupID, to domain.UserID) (after Group, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, to)
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := g.Facts.MustOwn(); err != nil {
			return err
		}
		m, err := readMember(ctx, tx, id, to)
		if err != nil {
			return err
		}
		if !m.active() {
			return domain.NotFound
		}
		if m.Role != access.Host || m.Profile == nil {
			return domain.Forbid(domain.BlockedByState)
		}
		if err := g.handOver(ctx, tx, m, now); err != nil {
			return err
		}
		owner, err := readMember(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		owner.Role = access.Host
		putMember(ctx, tx, id, owner)
		after, err = getWithHosts(ctx, tx, v, id)
		return err
	})
	return after, err
}

// blockedStmt selects the users with a membership of the group $1 who are in a block with the user $2.
var blockedStmt = db.SQL("group.blocked", `
	SELECT m.user_id FROM group_members m JOIN (
		SELECT blocked_id AS user_id FROM blocks WHERE blocker_id = $2 UNION SELECT blocker_id FROM blocks WHERE blocked_id = $2
	) AS b ON b.user_id = m.user_id
	WHERE m.group_id = $1 AND m.status <> 'banned' ORDER BY m.user_id`)

// handOver makes a host the owner of a locked group. Memberships of users in a block with the new owner end.
func (g Group) handOver(ctx context.Context, tx db.Tx, to Member, now time.Time) error {
	to.Role = access.Owner
	putMember(ctx, tx, g.ID(), to)
	tx.Queue(ctx, setOwnerStmt, g.ID(), to.UserID, now)
	blocked, err := db.All(ctx, tx, scanID[domain.UserKind], blockedStmt, g.ID(), to.UserID)
	if err != nil {
		return err
	}
	for _, of := range blocked {
		if err := endOf(ctx, tx, g.ID(), of); err != nil {
			return err
		}
	}
	return notify.Put(ctx, tx, now, g.notification(notify.GroupTransferred, to.UserID, g.Facts.OwnerID))
}
