package event

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Role says how a user takes part in events, as the contract describes in listMyEvents.
type Role string

// The roles of a user.
const (
	Going   Role = "going"
	Hosting Role = "hosting"
	Drafts  Role = "draft"
	Invited Role = "invited"
	Waiting Role = "waiting"
	Past    Role = "past"
)

// The sizes of the pages that are read. Each limit is a literal, because PostgreSQL plans a
// statement with LIMIT $4 again at each call.
const (
	shortPage = 20
	longPage  = 100
)

// Every list finds its events by an index of the viewer $1. $2 is the time, and $3 the
// starts_key after which the page starts, or with Past before which.
var mineStmts = map[Role][2]*db.Stmt{
	Going: mineStmt(Going, "ASC", attendedSQL+` AND e.over_at > $2 AND e.starts_key > $3`),
	Hosting: mineStmt(Hosting, "ASC", organizedSQL+` AND e.over_at > $2 AND e.starts_key > $3`,
		hostedSQL+` AND e.over_at > $2 AND e.starts_key > $3`, groupHostedSQL+` AND e.over_at > $2 AND e.starts_key > $3`),
	Drafts: mineStmt(Drafts, "ASC", `FROM events e WHERE e.organizer_id = $1 AND e.status = 'draft' AND e.starts_key > $3`),
	Invited: mineStmt(Invited, "ASC", `FROM invitations m CROSS JOIN events e WHERE m.user_id = $1 AND m.status = 'pending'
		AND e.id = m.event_id AND `+access.SeesEvent("e", "$1")+`
		AND e.status <> 'canceled' AND e.over_at > $2 AND e.starts_key > $3`),
	Waiting: mineStmt(Waiting, "ASC", `FROM waitlist_entries m CROSS JOIN events e WHERE m.user_id = $1 AND m.status IN ('waiting', 'offered')
		AND e.id = m.event_id AND `+access.SeesEvent("e", "$1")+` AND e.over_at > $2 AND e.starts_key > $3`),
	Past: mineStmt(Past, "DESC", attendedSQL+` AND e.over_at <= $2 AND e.starts_key < $3`,
		organizedSQL+` AND e.over_at <= $2 AND e.starts_key < $3`,
		hostedSQL+` AND e.status <> 'draft' AND e.over_at <= $2 AND e.starts_key < $3`,
		groupHostedSQL+` AND e.status <> 'draft' AND e.over_at <= $2 AND e.starts_key < $3`),
}

var attendedSQL = `FROM participants m CROSS JOIN events e WHERE m.user_id = $1 AND m.status = 'going' AND e.id = m.event_id
	AND ` + access.SeesEvent("e", "$1")

const organizedSQL = `FROM events e WHERE e.organizer_id = $1 AND e.status <> 'draft' AND e.title <> ''`

// hostedSQL selects the events of others that the viewer hosts, drafts included.
const hostedSQL = `FROM event_hosts m CROSS JOIN events e WHERE m.user_id = $1 AND m.status = 'active' AND e.id = m.event_id
	AND e.title <> ''`

// groupHostedSQL selects the events of the groups that the viewer owns or hosts, drafts included.
const groupHostedSQL = `FROM group_members m CROSS JOIN events e WHERE m.user_id = $1 AND m.status = 'active' AND m.role <> 'member'
	AND e.group_id = m.group_id AND e.title <> ''`

// mineStmt returns the statements that read the cards of short and long pages of a list, which
// is the union of some parts.
func mineStmt(role Role, order string, parts ...string) (stmts [2]*db.Stmt) {
	for i, size := range []int{shortPage, longPage} {
		sorted := fmt.Sprintf(" ORDER BY starts_key %s LIMIT %d", order, size+1)
		page := ""
		for n, part := range parts {
			if n > 0 {
				page += ` UNION `
			}
			page += `SELECT id, starts_key FROM (SELECT e.id, e.starts_key ` + part + sorted + `) AS part` + strconv.Itoa(n)
		}
		stmts[i] = db.SQL("event.mine_"+string(role)+"_"+strconv.Itoa(size), `
			WITH page AS (`+page+sorted+`)
			SELECT `+cardColumns("$1", "$2")+` FROM page CROSS JOIN events e`+cardJoins("$1")+` WHERE e.id = page.id
			ORDER BY page.starts_key `+order)
	}
	return stmts
}

// mineCursor names the list of a role in its cursors, whose value is a starts_key.
func mineCursor(role Role) string { return "my_events." + string(role) + ".1" }

// mineFrom returns the key at which a page starts. An event lasts at most MaxLength, so those that
// started earlier have ended.
func mineFrom(role Role, cursor string, now time.Time) (from int64, err error) {
	switch role {
	case Going, Hosting, Invited, Waiting:
		from = now.Add(-MaxLength - time.Second).UnixNano()
	case Past:
		from = math.MaxInt64
	case Drafts:
	}
	if cursor != "" {
		err = domain.ReadCursor(cursor, mineCursor(role), &from)
	}
	return from, err
}

// Mine returns a page of the events in which the viewer has a role, limit of them (1 to 100):
// the earliest start first, of Past the latest. It returns
// domain.InvalidCursor for a cursor of another role.
func (s *Service) Mine(ctx context.Context, v domain.Viewer, role Role, limit int, cursor string) (page domain.Page[Card], err error) {
	now := s.Clock.Now()
	from, err := mineFrom(role, cursor, now)
	if err != nil {
		return page, err
	}
	stmts := mineStmts[role]
	stmt := stmts[0]
	if limit > shortPage {
		stmt = stmts[1]
	}
	cards, err := db.All(ctx, s.DB, scanCard, stmt, v.UserID, now, from)
	return domain.NewPage(cards, limit, func(last Card) string { return domain.Cursor(mineCursor(role), last.StartsKey) }), err
}
