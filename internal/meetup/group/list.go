package group

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/text"
)

// Filter selects public groups. All conditions combine.
type Filter struct {
	Query  string      // each word begins a word of the group; empty: any
	City   string      // empty: any
	Near   *geo.Circle // nil: anywhere
	Slug   string      // selects one group, which need not be public
	Limit  int         // 1 to 100
	Cursor string      // Next of the previous page; empty for the first
}

// The names of the lists in their cursors.
const (
	listCursor = "groups.1"
	mineCursor = "my_groups.1"
)

// position is the sort key of a group in the list.
type position struct {
	nameKey string
	id      domain.GroupID
}

// last is after every group.
var last = position{"\U0010FFFF", domain.LastID[domain.GroupKind]()}

func readCursor(cursor string) (p position, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, listCursor, &p.nameKey, &p.id)
	}
	return p, err
}

// maxScanned limits the groups that a filtered request reads.
const maxScanned = 5000

// listing has the statements of a list with some conditions.
type listing struct {
	page  *db.Stmt // the groups between two positions
	bound *db.Stmt // the last one that a request reads
}

// by names the conditions of a listing.
type by struct{ city, circle bool }

var listings = map[by]listing{
	{}: newListing("", by{}), {city: true}: newListing("_city", by{city: true}),
	{circle: true}: newListing("_near", by{circle: true}), {city: true, circle: true}: newListing("_city_near", by{city: true, circle: true}),
}

func newListing(name string, b by) listing {
	const (
		listed = `g.visibility = 'public' AND g.suspended_at IS NULL`
		order  = ` ORDER BY g.name_key, g.id LIMIT `
		near   = ` AND (g.x - $%[1]d) * (g.x - $%[1]d) + (g.y - $%[2]d) * (g.y - $%[2]d) + (g.z - $%[3]d) * (g.z - $%[3]d) <= $%[4]d`
	)
	conditions, boundConditions, next := "", "", 8
	if b.city {
		conditions, boundConditions, next = ` AND g.city_key = $8`, ` AND g.city_key = $3`, 9
	}
	if b.circle {
		conditions += fmt.Sprintf(near, next, next+1, next+2, next+3)
	}
	return listing{
		page: db.SQL("group.list"+name, selectSQL(listed+conditions+`
			AND (g.name_key, g.id) > ($2, $3) AND (g.name_key, g.id) <= ($4, $5) AND ou.id IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM texts($6) AS w WHERE g.words NOT LIKE '% ' || w.value || '%')
			AND `+access.NotBlocked("g.owner_id", "$1")+order+`$7`)),
		bound: db.SQL("group.bound"+name, `SELECT g.name_key, g.id FROM groups g WHERE `+listed+boundConditions+`
			AND (g.name_key, g.id) > ($1, $2)`+order+`1 OFFSET `+strconv.Itoa(maxScanned-1)),
	}
}

// List returns a page of public groups by name, or the group with the slug of the filter. A request reads at most maxScanned groups, so
// that pages before the last one can be shorter than the limit.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (page domain.Page[Group], err error) {
	if f.Slug != "" {
		return s.bySlug(ctx, v, f.Slug)
	}
	cache.Until(ctx, time.Time{})
	after, err := readCursor(f.Cursor)
	if err != nil {
		return page, err
	}
	words, city := text.Words(f.Query), text.CityKey(f.City)
	if f.Query != "" && len(words) == 0 || f.City != "" && city == "" {
		return page, nil
	}
	l, until := listings[by{f.City != "", f.Near != nil}], last
	bound, conditions := []any{after.nameKey, after.id}, []any{}
	if f.City != "" {
		bound, conditions = append(bound, city), append(conditions, city)
	}
	if f.Near != nil {
		centre := geo.Point(f.Near.Lat, f.Near.Lng)
		conditions = append(conditions, centre.X, centre.Y, centre.Z, f.Near.Chord2())
	}
	more, err := s.DB.One(ctx, l.bound, bound...).Find(&until.nameKey, &until.id)
	if err != nil {
		return page, err
	}
	args := []any{v.UserID, after.nameKey, after.id, until.nameKey, until.id, words, f.Limit + 1}
	found, err := db.All(ctx, s.DB, scan, l.page, append(args, conditions...)...)
	page = domain.NewPage(found, f.Limit, func(g Group) string { return domain.Cursor(listCursor, g.nameKey, g.ID()) })
	if more && page.Next == "" {
		page.Next = domain.Cursor(listCursor, until.nameKey, until.id)
	}
	return page, err
}

var mineStmt = db.SQL("group.mine", selectSQL(`vm.user_id = $1 AND vm.status IN ('active', 'invited', 'requested')
	AND (vm.since, vm.group_id) < ($2, $3) AND `+access.SeesGroup("g", "$1")+` ORDER BY vm.since DESC, vm.group_id DESC LIMIT $4`))

// since is the sort key of a group in the list of the viewer's groups.
type since struct {
	at time.Time
	id domain.GroupID
}

func readMineCursor(cursor string) (p since, err error) {
	if cursor == "" {
		return since{domain.EndOfTime, domain.LastID[domain.GroupKind]()}, nil
	}
	return p, domain.ReadCursor(cursor, mineCursor, &p.at, &p.id)
}

// Mine returns a page of the groups that the viewer belongs to, is invited to or asks to join, the latest change of the membership first.
func (s *Service) Mine(ctx context.Context, v domain.Viewer, limit int, cursor string) (page domain.Page[Group], err error) {
	before, err := readMineCursor(cursor)
	if err != nil {
		return page, err
	}
	found, err := db.All(ctx, s.DB, scan, mineStmt, v.UserID, before.at, before.id, limit+1)
	return domain.NewPage(found, limit, func(g Group) string { return domain.Cursor(mineCursor, g.since, g.ID()) }), err
}
