package source

import (
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/importer"
	"moothall/internal/platform/db"
)

// active is the condition that an event r of a calendar is still shown here.
const active = `NOT r.canceled`

var (
	listStmt = db.SQL("source.list", `
		SELECT s.id, s.group_id, s.url, s.host, s.status, s.error, s.read_at, s.due_at, s.created_at,
			(SELECT COUNT(*) FROM group_source_events r WHERE r.source_id = s.id AND r.starts_at > $2 AND `+active+`)
		FROM group_sources s WHERE s.group_id = $1 AND s.ended_at IS NULL ORDER BY s.created_at, s.id`)

	insertStmt = db.SQL("source.insert", `
		INSERT INTO group_sources (id, group_id, user_id, url, host, status, due_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`)

	// dueStmt selects, for each host, the calendar that has been due the longest.
	dueStmt = db.SQL("source.due", `
		SELECT d.id FROM (
			SELECT s.id, s.due_at, ROW_NUMBER() OVER (PARTITION BY s.host ORDER BY s.due_at, s.id) AS nth
			FROM group_sources s WHERE s.due_at <= $1 AND s.ended_at IS NULL) AS d
		WHERE d.nth = 1 ORDER BY d.due_at, d.id LIMIT $2`)

	readStmt = db.SQL("source.read", readSQL)
	lockStmt = db.SQL("source.lock", readSQL+` FOR UPDATE OF s`)

	// shareGroupStmt locks the group of a calendar against changes. It comes before lockStmt, because a deletion locks them in this order.
	shareGroupStmt = db.SQL("source.share_group", `SELECT owner_id FROM groups WHERE id = $1 FOR SHARE`)

	// eventsStmt returns the events of a calendar that start after $2.
	eventsStmt = db.SQL("source.events", `
		SELECT r.uid, r.event_id, r.hash, r.starts_at, r.missed, r.canceled FROM group_source_events r
		WHERE r.source_id = $1 AND r.starts_at > $2 ORDER BY r.starts_at, r.uid`)

	// madeStmt counts the coming events at $2, and those made since $3.
	madeStmt = db.SQL("source.made", `
		SELECT COUNT(*) FILTER (WHERE r.starts_at > $2 AND `+active+`), COUNT(*) FILTER (WHERE r.made_at > $3)
		FROM group_source_events r WHERE r.source_id = $1`)

	// putEventStmt stores a new event. It replaces one that was canceled because the calendar had canceled or lost it.
	putEventStmt = db.SQL("source.put_event", `
		INSERT INTO group_source_events (source_id, uid, event_id, hash, starts_at, made_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (source_id, uid) DO UPDATE SET event_id = excluded.event_id, hash = excluded.hash, starts_at = excluded.starts_at,
			made_at = excluded.made_at, missed = NULL, canceled = FALSE
		WHERE group_source_events.canceled`)

	changedStmt = db.SQL("source.changed", `
		UPDATE group_source_events SET hash = $3, starts_at = $4, missed = NULL WHERE source_id = $1 AND uid = $2`)
	foundStmt    = db.SQL("source.found", `UPDATE group_source_events SET missed = NULL WHERE source_id = $1 AND uid = $2`)
	missedStmt   = db.SQL("source.missed", `UPDATE group_source_events SET missed = $3 WHERE source_id = $1 AND uid = $2 AND missed IS NULL`)
	canceledStmt = db.SQL("source.canceled", `UPDATE group_source_events SET canceled = TRUE WHERE source_id = $1 AND uid = $2`)

	toldStmt = db.SQL("source.told", `UPDATE group_sources SET told_at = $2 WHERE id = $1`)

	// succeededStmt and failedStmt record a result, unless another attempt has recorded one.
	succeededStmt = db.SQL("source.succeeded", `
		UPDATE group_sources SET status = 'ok', error = $3, etag = $4, modified = $5, content_at = $6, reads = reads + 1, read_at = $7,
			failures = 0, failing_since = NULL, notified = FALSE, due_at = $8
		WHERE id = $1 AND reads = $2`)
	failedStmt = db.SQL("source.failed", `
		UPDATE group_sources SET status = $2, error = $3, failures = $4, failing_since = $5, notified = $6, due_at = $7 WHERE id = $1`)
)

// readSQL reads a calendar with what decides whether its group may show events.
const readSQL = `
	SELECT s.id, s.group_id, s.url, s.host, s.etag, s.modified, s.content_at, s.reads, s.failures, s.failing_since, s.notified, s.told_at,
		s.due_at, g.owner_id, g.visibility, g.lat, g.lng, g.suspended_at IS NOT NULL, u.suspended_at IS NOT NULL,
		u.email_verified OR u.phone IS NOT NULL
	FROM group_sources s JOIN groups g ON g.id = s.group_id JOIN users u ON u.id = g.owner_id
	WHERE s.id = $1 AND s.ended_at IS NULL`

// calendar is a row of readSQL.
type calendar struct {
	ID           domain.SourceID
	Group        domain.GroupID
	URL, Host    string
	version      importer.Version
	contentAt    *time.Time
	reads        int64
	failures     int64
	failingSince *time.Time
	notified     bool
	toldAt       *time.Time
	dueAt        time.Time

	owner          domain.UserID
	visibility     access.Visibility
	lat, lng       *float64
	groupSuspended bool
	ownerSuspended bool
	ownerVerified  bool
}

func (c *calendar) scan(row db.Row) (found bool, err error) {
	return row.Find(&c.ID, &c.Group, &c.URL, &c.Host, &c.version.ETag, &c.version.Modified, &c.contentAt, &c.reads, &c.failures,
		&c.failingSince, &c.notified, &c.toldAt, &c.dueAt, &c.owner, &c.visibility, &c.lat, &c.lng, &c.groupSuspended, &c.ownerSuspended,
		&c.ownerVerified)
}

// rests returns why the group may not show events; empty if it may.
func (c *calendar) rests() string {
	switch {
	case c.groupSuspended:
		return groupSuspended
	case c.ownerSuspended:
		return ownerSuspended
	case !c.ownerVerified:
		return ownerUnknown
	default:
		return ""
	}
}

func scan(row db.Row, s *Source) error {
	return row.Scan(&s.ID, &s.Group, &s.URL, &s.Host, &s.Status, &s.Error, &s.ReadAt, &s.DueAt, &s.CreatedAt, &s.Events)
}
