package group

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

type exported struct {
	GroupID    domain.GroupID      `json:"group_id"`
	Role       access.Role         `json:"role"`
	Status     access.MemberStatus `json:"status"`
	Visibility string              `json:"visibility"`
	Since      time.Time           `json:"since"`
	Owned      *exportedGroup      `json:"group,omitempty"` // only of the owner
}

// exportedGroup is what the owner of a group has set.
type exportedGroup struct {
	Name        string            `json:"name"`
	Slug        string            `json:"slug"`
	Description *string           `json:"description"`
	City        *string           `json:"city"`
	Lat         *float64          `json:"lat"`
	Lng         *float64          `json:"lng"`
	ImageURL    *string           `json:"image_url"`
	Visibility  access.Visibility `json:"visibility"`
	JoinPolicy  string            `json:"join_policy"`
	MemberList  string            `json:"member_list"`
	CreatedAt   time.Time         `json:"created_at"`
}

var exportStmt = db.SQL("group.export", `
	SELECT m.group_id, m.role, m.status, m.visibility, m.since, g.name, g.slug, g.description, g.city, g.lat, g.lng, g.image_url,
		g.visibility, g.join_policy, g.member_list, g.created_at
	FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = $1 ORDER BY m.since, m.group_id`)

type exportedAnnouncement struct {
	ID        domain.AnnouncementID `json:"id"`
	GroupID   domain.GroupID        `json:"group_id"`
	Body      string                `json:"body"`
	CreatedAt time.Time             `json:"created_at"`
}

// Export returns the memberships of a user, the groups that they own, and their announcements.
func Export(ctx context.Context, q db.Querier, of domain.UserID) (any, error) {
	announcements, err := db.Append(ctx, q, []exportedAnnouncement{}, func(row db.Row, x *exportedAnnouncement) error {
		return row.Scan(&x.ID, &x.GroupID, &x.Body, &x.CreatedAt)
	}, exportAnnouncementsStmt, of)
	if err != nil {
		return nil, err
	}
	memberships, err := db.Append(ctx, q, []exported{}, func(row db.Row, x *exported) error {
		var g exportedGroup
		err := row.Scan(&x.GroupID, &x.Role, &x.Status, &x.Visibility, &x.Since, &g.Name, &g.Slug, &g.Description, &g.City, &g.Lat, &g.Lng,
			&g.ImageURL, &g.Visibility, &g.JoinPolicy, &g.MemberList, &g.CreatedAt)
		if x.Role == access.Owner {
			x.Owned = &g
		}
		return err
	}, exportStmt, of)
	return map[string]any{"memberships": memberships, "announcements": announcements}, err
}

var (
	ownedStmt = db.SQL("group.owned", `SELECT id FROM groups WHERE owner_id = $1 ORDER BY id FOR UPDATE`)

	// heirsStmt selects who may become the owner of the group $1, the oldest host first.
	heirsStmt = db.SQL("group.heirs", `
		SELECT m.user_id FROM group_members m JOIN users u ON u.id = m.user_id
		WHERE m.group_id = $1 AND `+isHost+` AND u.suspended_at IS NULL
		ORDER BY m.since, m.user_id`)

	lockJoinedStmt = db.SQL("group.lock_joined", `
		SELECT g.id FROM groups g WHERE g.id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = $1 AND m.status = 'active')
		ORDER BY g.id FOR UPDATE`)
	uncountStmt = db.SQL("group.uncount", `
		UPDATE groups SET member_count = member_count - 1
		WHERE id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = $1 AND m.status = 'active')`)
	eraseMembershipsStmt = db.SQL("group.erase_memberships", `DELETE FROM group_members WHERE user_id = $1`)

	// eraseImagesStmt removes the pictures of a user from the groups of others.
	eraseImagesStmt = db.SQL("group.erase_images", `
		UPDATE groups SET image_url = NULL WHERE image_url IN (SELECT p.url FROM media p WHERE p.owner_id = $1) RETURNING id`)
)

func scanID[kind any](row db.Row, id *domain.ID[kind]) error { return row.Scan(id) }

// Erase hands the groups of a user who deletes their account over to their oldest hosts, deletes those without one, and ends the
// memberships of the user.
func (s *Service) Erase(ctx context.Context, tx db.Tx, of domain.UserID, now time.Time) error {
	owned, err := db.All(ctx, tx, scanID[domain.GroupKind], ownedStmt, of)
	if err != nil {
		return err
	}
	for _, id := range owned {
		if err := s.bequeath(ctx, tx, id, of, now); err != nil {
			return err
		}
	}
	joined, err := db.All(ctx, tx, scanID[domain.GroupKind], lockJoinedStmt, of)
	if err != nil {
		return err
	}
	for _, id := range joined {
		tx.Changed(Members.Of(id))
	}
	pictured, err := db.All(ctx, tx, scanID[domain.GroupKind], eraseImagesStmt, of)
	if err != nil {
		return err
	}
	for _, id := range pictured {
		tx.Changed(event.Group.Of(id))
	}
	tx.Queue(ctx, uncountStmt, of)
	tx.Queue(ctx, eraseMembershipsStmt, of)
	tx.Queue(ctx, eraseAnnouncementsStmt, of)
	return nil
}

// bequeath gives a locked group to its oldest host, or deletes it.
func (s *Service) bequeath(ctx context.Context, tx db.Tx, id domain.GroupID, owner domain.UserID, now time.Time) error {
	heirs, err := db.All(ctx, tx, scanID[domain.UserKind], heirsStmt, id)
	if err != nil {
		return err
	}
	heir, err := user.FirstActive(ctx, tx, heirs)
	if err != nil {
		return err
	}
	if heir.IsZero() {
		return s.erase(ctx, tx, id, now)
	}
	m, err := readMember(ctx, tx, id, heir)
	if err != nil {
		return err
	}
	return Group{Facts: access.GroupFacts{ID: id, OwnerID: owner}}.handOver(ctx, tx, m, now)
}

// betweenStmt locks the groups of the user $2 in which the user $1 has a membership.
var betweenStmt = db.SQL("group.between", `
	SELECT g.id FROM groups g WHERE g.owner_id = $2 AND EXISTS (
		SELECT 1 FROM group_members m WHERE m.group_id = g.id AND m.user_id = $1 AND m.status <> 'banned')
	ORDER BY g.id FOR UPDATE`)

// OnBlock ends the memberships of one of two users in the groups of the other.
func OnBlock(ctx context.Context, tx db.Tx, _ time.Time, blocker, blocked domain.UserID) error {
	for _, pair := range [][2]domain.UserID{{blocker, blocked}, {blocked, blocker}} {
		if err := endBetween(ctx, tx, pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

func endBetween(ctx context.Context, tx db.Tx, member, owner domain.UserID) error {
	groups, err := db.All(ctx, tx, scanID[domain.GroupKind], betweenStmt, member, owner)
	if err != nil {
		return err
	}
	for _, id := range groups {
		if err := endOf(ctx, tx, id, member); err != nil {
			return err
		}
	}
	return nil
}

// endOf ends the membership of a user in a locked group.
func endOf(ctx context.Context, tx db.Tx, id domain.GroupID, of domain.UserID) error {
	m, err := readMember(ctx, tx, id, of)
	if err != nil {
		return err
	}
	return Group{Facts: access.GroupFacts{ID: id}}.end(ctx, tx, m)
}
