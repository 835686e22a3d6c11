package group

import (
	"context"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/text"
)

// selectSQL reads groups as the viewer $1 sees them, without hosts. The condition may name the groups row g, and the row vm
// of the viewer's membership.
func selectSQL(condition string) string {
	return `SELECT g.slug, g.name, g.description, g.city, g.lat, g.lng, g.visibility, g.join_policy, g.member_list, g.image_url,
		g.member_count, g.suspended_at, g.created_at, g.updated_at, g.name_key, ` + access.GroupFactsSQL("g", "$1") + `, vm.visibility,
		COALESCE(vm.since, 0), ` + user.Columns("o") + `
	FROM groups g ` + access.GroupMemberSQL("g", "$1") + `
	LEFT JOIN users ou ON ou.id = g.owner_id AND ou.suspended_at IS NULL
	LEFT JOIN profiles o ON o.user_id = ou.id
	WHERE ` + condition
}

func scan(row db.Row, g *Group) error {
	var owner user.ProfileColumns
	dest := []any{&g.Slug, &g.Name, &g.Description, &g.City, &g.Lat, &g.Lng, &g.Visibility, &g.JoinPolicy, &g.MemberList,
		&g.ImageURL, &g.MemberCount, &g.SuspendedAt, &g.CreatedAt, &g.UpdatedAt, &g.nameKey}
	dest = append(append(dest, g.Facts.Dest()...), &g.ViewerVisibility, &g.since)
	err := row.Scan(append(dest, owner.Dest()...)...)
	g.Owner = owner.Public()
	return err
}

var (
	readStmt = db.SQL("group.read", selectSQL(`g.id = $2`))
	lockStmt = db.SQL("group.lock", `SELECT 1 FROM groups WHERE id = $1 FOR UPDATE`)

	// hostsStmt reads the hosts of the group $2 beside its owner, without users in a block with the viewer $1.
	hostsStmt = db.SQL("group.hosts", `
		SELECT `+user.Columns("p")+` FROM group_members m JOIN users u ON u.id = m.user_id JOIN profiles p ON p.user_id = m.user_id
		WHERE m.group_id = $2 AND `+isHost+` AND u.suspended_at IS NULL AND `+access.NotBlocked("m.user_id", "$1")+`
		ORDER BY m.since, m.user_id LIMIT `+strconv.Itoa(maxHosts))

	insertStmt = db.SQL("group.insert", `
		INSERT INTO groups (id, owner_id, slug, name, description, city, lat, lng, x, y, z, visibility, join_policy, member_list, member_count,
			name_key, city_key, words, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1, $15, $16, $17, $18, $18)`)

	updateStmt = db.SQL("group.update", `
		UPDATE groups SET slug = $2, name = $3, description = $4, city = $5, lat = $6, lng = $7, x = $8, y = $9, z = $10, visibility = $11,
			join_policy = $12, member_list = $13, name_key = $14, city_key = $15, words = $16, updated_at = $17
		WHERE id = $1`)

	setImageStmt = db.SQL("group.set_image", `UPDATE groups SET image_url = $2, updated_at = $3 WHERE id = $1`)
	suspendStmt  = db.SQL("group.suspend", `UPDATE groups SET suspended_at = $2 WHERE id = $1 AND suspended_at IS NULL`)
	restoreStmt  = db.SQL("group.restore", `UPDATE groups SET suspended_at = NULL WHERE id = $1`)
	setOwnerStmt = db.SQL("group.set_owner", `UPDATE groups SET owner_id = $2, updated_at = $3 WHERE id = $1`)
	countStmt    = db.SQL("group.count", `UPDATE groups SET member_count = member_count + $2 WHERE id = $1`)

	countGroupsStmt = db.SQL("group.count_groups", `
		SELECT COUNT(*) FROM group_members WHERE user_id = $1 AND status IN ('active', 'requested')`)

	deleteMembersStmt = db.SQL("group.delete_members", `DELETE FROM group_members WHERE group_id = $1`)
	deleteSlugsStmt   = db.SQL("group.delete_slugs", `DELETE FROM group_slugs WHERE group_id = $1`)
	deleteStmt        = db.SQL("group.delete", `DELETE FROM groups WHERE id = $1`)
)

// read returns a group without its hosts. It returns NotFound if the viewer does not see it.
func read(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GroupID) (g Group, err error) {
	all, err := db.All(ctx, q, scan, readStmt, v.UserID, id)
	if err == nil && (len(all) == 0 || !all[0].Facts.Sees()) {
		err = domain.NotFound
	}
	if err != nil {
		return Group{}, err
	}
	return all[0], nil
}

var byIDsStmt = db.SQL("group.by_ids", selectSQL(`g.id IN (SELECT value FROM ids($2) AS l)`))

// ByIDs returns groups for moderators, who see all of them.
func ByIDs(ctx context.Context, q db.Querier, ids []domain.GroupID) ([]Group, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return db.All(ctx, q, scan, byIDsStmt, domain.UserID{}, ids)
}

// lock is read for a change.
func lock(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.GroupID) (Group, error) {
	if err := lockRow(ctx, tx, id); err != nil {
		return Group{}, err
	}
	return read(ctx, tx, v, id) // another statement: it sees the commit of the transaction that had the lock
}

// lockRow locks a group, if there is one. The next statement returns NotFound for a missing group, so that missing and hidden groups take
// the same time.
func lockRow(ctx context.Context, tx db.Tx, id domain.GroupID) error {
	var one int
	_, err := tx.One(ctx, lockStmt, id).Find(&one)
	return err
}

func insert(ctx context.Context, tx db.Tx, id domain.GroupID, owner domain.UserID, f Fields, now time.Time) {
	tx.Changed(event.Group.Of(id))
	tx.Queue(ctx, insertStmt, append(append([]any{id, owner}, f.args()...), now)...)
	tx.Queue(ctx, insertSlugStmt, f.Slug, id)
}

func update(ctx context.Context, tx db.Tx, id domain.GroupID, f Fields, now time.Time) {
	tx.Changed(event.Group.Of(id))
	tx.Queue(ctx, updateStmt, append(append([]any{id}, f.args()...), now)...)
}

// erase deletes a locked group. Its events stay with their organizers.
func (s *Service) erase(ctx context.Context, tx db.Tx, id domain.GroupID, now time.Time) error {
	if err := s.OnDelete(ctx, tx, id, now); err != nil {
		return err
	}
	tx.Changed(Members.Of(id))
	for _, stmt := range []*db.Stmt{deleteMembersStmt, deleteSlugsStmt, deleteAnnouncementsStmt, deleteStmt} {
		tx.Queue(ctx, stmt, id)
	}
	return event.OnGroupDeleted(ctx, tx, id)
}

const (
	maxNameKey = 24  // code points; equal keys are sorted by id
	maxWords   = 300 // further words are not found
)

// args returns the columns of the fields, and the columns computed from them.
func (f Fields) args() []any {
	var x, y, z *float64
	if f.Lat != nil {
		p := geo.Point(*f.Lat, *f.Lng)
		x, y, z = &p.X, &p.Y, &p.Z
	}
	words := text.Words(strings.Join([]string{f.Name, orEmpty(f.City), orEmpty(f.Description)}, " "))
	words = words[:min(len(words), maxWords)]
	return []any{f.Slug, f.Name, f.Description, f.City, f.Lat, f.Lng, x, y, z, f.Visibility, f.JoinPolicy, f.MemberList,
		text.Prefix(text.Fold(f.Name), maxNameKey), text.CityKey(orEmpty(f.City)), " " + strings.Join(words, " ")}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
