package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang/geo/s2"

	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

// maxClusterCount limits the count of a cluster.
const maxClusterCount = 100

// Cluster is the number of events that were found in one area of a map, and
// their centre (contract §4.6).
type Cluster struct {
	Area     geo.Box
	Lat, Lng float64 // degrees
	Count    int64
}

// area is an area of a map whose events are counted.
type area struct {
	cell   int64
	after  int64   // the exclusive lower bound of the keys that remain
	read   int     // number of events
	leaves []int64 // of the counted events
}

// areaSizes are the numbers of events that are read of each area, in turn: few at first,
// because most areas then have enough or no more.
var areaSizes = []int{128, 384}

// clusters counts the events of the filter in each area of the map.
func (s *search) clusters(ctx context.Context) ([]Cluster, error) {
	hidden, err := s.hidden(ctx)
	if err != nil {
		return nil, err
	}
	var areas []*area
	for _, cell := range geo.ZoomCells(s.region(), *s.Zoom) {
		areas = append(areas, &area{cell: cell, after: s.lowerBound(s.now)})
	}
	open := areas
	for _, size := range areaSizes {
		if err := s.count(ctx, open, size, hidden); err != nil {
			return nil, err
		}
		open = slices.DeleteFunc(slices.Clone(open), func(a *area) bool { return a.read < size || len(a.leaves) >= maxClusterCount })
	}
	clusters := []Cluster{}
	for _, a := range areas {
		if len(a.leaves) > 0 {
			clusters = append(clusters, a.cluster())
		}
	}
	return clusters, nil
}

// cluster returns the counted events.
func (a *area) cluster() Cluster {
	var sum s2.Point
	for _, leaf := range a.leaves {
		sum.Vector = sum.Add(geo.Centre(leaf).Vector)
	}
	c := Cluster{Area: geo.BoundsOf(a.cell), Count: int64(min(len(a.leaves), maxClusterCount))}
	c.Lat, c.Lng = geo.Degrees(sum)
	return c
}

var areaStmts = func() map[walkShape]*db.Stmt {
	all := map[walkShape]*db.Stmt{}
	for _, lists := range buckets {
		for _, size := range areaSizes {
			branches := make([]string, lists)
			for i := range branches {
				branches[i] = fmt.Sprintf(`SELECT * FROM (SELECT d.cell, d.starts_key, d.leaf, d.organizer FROM event_cells d
	WHERE d.cell = $%d AND d.starts_key > $%d AND d.starts_key <= $1 ORDER BY d.starts_key LIMIT %d) AS area`, 2*i+2, 2*i+3, size)
			}
			all[walkShape{ofCells, lists, size}] = db.SQL("discovery.areas "+fmt.Sprint(lists, size), strings.Join(branches, "\n\tUNION ALL "))
		}
	}
	return all
}()

// areaPosting is a posting of an area.
type areaPosting struct {
	*area
	key, leaf, organizer int64
}

// count counts the next events of areas, at most size of each.
func (s *search) count(ctx context.Context, areas []*area, size int, hidden hidden) error {
	if len(areas) == 0 {
		return nil
	}
	postings, err := s.postings(ctx, areas, size)
	if err != nil {
		return err
	}
	mayContain := s.leafTest()
	postings = slices.DeleteFunc(postings, func(p areaPosting) bool {
		return hidden.events[p.key] || hidden.organizers[p.organizer] || !mayContain(p.leaf)
	})
	keys := make([]int64, len(postings))
	for i, p := range postings {
		keys[i] = p.key
	}
	slices.Sort(keys)
	keys, err = plan{groups: append(s.groups, s.scanned...)}.having(ctx, s.DB, keys)
	for _, p := range postings {
		if _, counts := slices.BinarySearch(keys, p.key); counts {
			p.leaves = append(p.leaves, p.leaf)
		}
	}
	return err
}

// postings returns the next postings of areas, at most size of each.
func (s *search) postings(ctx context.Context, areas []*area, size int) ([]areaPosting, error) {
	args := []any{s.upperBound()}
	all, byCell := make([]areaPosting, 0, size*len(areas)), map[int64]*area{}
	for _, a := range areas {
		a.read, byCell[a.cell] = 0, a
		args = append(args, a.cell, a.after)
	}
	shape := walkShape{ofCells, bucket(len(areas)), size}
	for len(args) < 1+2*shape.lists {
		args = append(args, noList)
	}
	var cell, key, leaf, organizer int64
	for row, err := range s.DB.Query(ctx, areaStmts[shape], args...) {
		if err == nil {
			err = row.Scan(&cell, &key, &leaf, &organizer)
		}
		if err != nil {
			return nil, err
		}
		a := byCell[cell]
		a.after = key
		a.read++
		all = append(all, areaPosting{a, key, leaf, organizer})
	}
	return all, nil
}

// overStmt returns the events that are over at $1 but still have postings, and the next
// one that will be over.
var overStmt = db.SQL("discovery.over", `
	SELECT o.starts_key, o.over_at FROM events o WHERE o.status = 'published' AND NOT o.swept AND o.over_at <= COALESCE(
		(SELECT MIN(n.over_at) FROM events n WHERE n.status = 'published' AND NOT n.swept AND n.over_at > $1), $1)`)

// blockedStmt returns the users who have a block with the viewer $1.
var blockedStmt = db.SQL("discovery.blocked", `
	SELECT blocked_id FROM blocks WHERE blocker_id = $1 UNION ALL SELECT blocker_id FROM blocks WHERE blocked_id = $1`)

// hidden are the postings that the viewer does not see.
type hidden struct {
	events     map[int64]bool // starts_keys of events that are over
	organizers map[int64]bool // postings.OrganizerKey of users who have a block with the viewer
}

// hidden returns the postings that the viewer does not see, and limits the validity of
// the counts. Few events are over: they lose their postings soon.
func (s *search) hidden(ctx context.Context) (hidden, error) {
	h := hidden{events: map[int64]bool{}, organizers: map[int64]bool{}}
	var key int64
	var overAt time.Time
	for row, err := range s.DB.Query(ctx, overStmt, s.now) {
		if err == nil {
			err = row.Scan(&key, &overAt)
		}
		if err != nil {
			return h, err
		}
		if overAt.After(s.now) {
			cache.Until(ctx, overAt)
		} else {
			h.events[key] = true
		}
	}
	if !s.viewer.SignedIn() {
		return h, nil
	}
	var user domain.UserID
	for row, err := range s.DB.Query(ctx, blockedStmt, s.viewer.UserID) {
		if err == nil {
			err = row.Scan(&user)
		}
		if err != nil {
			return h, err
		}
		h.organizers[postings.OrganizerKey(user)] = true
	}
	return h, nil
}
