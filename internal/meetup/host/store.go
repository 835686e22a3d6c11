package host

import (
	"context"
	"strconv"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	// listStmt reads the organizer and at most maxHosts hosts of the event $1.
	listStmt = db.SQL("host.list", `
		SELECT m.user_id, m.role, m.status, m.created_at, `+user.Columns("o")+` FROM (
			SELECT e.organizer_id AS user_id, 'owner' AS role, 'active' AS status, e.created_at AS created_at, 0 AS place
			FROM events e WHERE e.id = $1
			UNION ALL SELECT h.user_id, h.role, h.status, h.created_at, 1 FROM event_hosts h WHERE h.event_id = $1 AND h.status <> 'ended') AS m
		LEFT JOIN profiles o ON o.user_id = m.user_id
		ORDER BY m.place, m.created_at, m.user_id LIMIT `+strconv.Itoa(maxHosts+1))

	readStmt = db.SQL("host.read", `
		SELECT h.user_id, h.role, h.status, h.created_at, `+user.Columns("o")+` FROM event_hosts h LEFT JOIN profiles o ON o.user_id = h.user_id
		WHERE h.event_id = $1 AND h.user_id = $2 AND h.status <> 'ended'`)

	// inviteeStmt counts the hosts of the event $1 if the organizer $3 may ask the user $2.
	inviteeStmt = db.SQL("host.invitee", `
		SELECT (SELECT COUNT(*) FROM event_hosts h WHERE h.event_id = $1 AND h.status <> 'ended')
		FROM users u JOIN profiles o ON o.user_id = u.id
		WHERE u.id = $2 AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$3"))

	inviteStmt = db.SQL("host.invite", `
		INSERT INTO event_hosts (event_id, user_id, role, status, created_at) VALUES ($1, $2, $3, 'pending', $4)
		ON CONFLICT (event_id, user_id) DO UPDATE SET role = excluded.role, status = 'pending', created_at = excluded.created_at`)

	// putFormerStmt makes the former organizer a host.
	putFormerStmt = db.SQL("host.put_former", `
		INSERT INTO event_hosts (event_id, user_id, role, status, created_at, joined_at) VALUES ($1, $2, $3, 'active', $4, $4)`)

	setStatusStmt = db.SQL("host.set_status", `
		UPDATE event_hosts SET status = CAST($3 AS TEXT), joined_at = CASE WHEN $3 = 'active' THEN CAST($4 AS BIGINT) ELSE joined_at END
		WHERE event_id = $1 AND user_id = $2`)

	deleteStmt = db.SQL("host.delete", `DELETE FROM event_hosts WHERE event_id = $1 AND user_id = $2`)

	endBlockedStmt = db.SQL("host.end_blocked", `
		UPDATE event_hosts SET status = 'ended' WHERE event_id = $1 AND status <> 'ended' AND NOT (`+
		access.NotBlocked("event_hosts.user_id", "$2")+`) RETURNING user_id`)
)

func scan(row db.Row, h *Host) error {
	var profile user.ProfileColumns
	err := row.Scan(append([]any{&h.UserID, &h.Role, &h.Status, &h.CreatedAt}, profile.Dest()...)...)
	h.Profile = profile.Public()
	return err
}

func list(ctx context.Context, q db.Querier, id domain.EventID) ([]Host, error) {
	return db.All(ctx, q, scan, listStmt, id)
}

// read returns the zero Host if the user neither hosts the event nor is asked to.
func read(ctx context.Context, q db.Querier, id domain.EventID, of domain.UserID) (h Host, err error) {
	all, err := db.All(ctx, q, scan, readStmt, id, of)
	if err == nil && len(all) > 0 {
		h = all[0]
	}
	return h, err
}
