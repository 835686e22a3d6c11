package event

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/golang/geo/s2"

	"moothall/internal/access"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

// These bound the cost, whatever the filter: of the next mostCrossed events by
// start of one cluster's area, the first mostClustered that lie in the place that
// is asked for are looked at.
const (
	mostCrossed   = 1000
	mostClustered = 100
)

// Cluster is how many events were found in one area of a map, of those looked at,
// and their middle (contract §4.6).
type Cluster struct {
	Area     Box
	Lat, Lng float64 // degrees
	Count    int64
}

// areas are the cells that a filter's place is divided into for a zoom: about
// two tiles of a web map wide, no wider than the place, and larger where they
// would be more than mostCells.
func (f Filter) areas() []int64 {
	region := world.region()
	switch {
	case f.Box != nil:
		region = f.Box.region()
	case f.Circle != nil:
		region = f.Circle.region()
	}
	level := max(*f.Zoom-2, s2.AvgEdgeMetric.ClosestLevel(float64(region.CapBound().Radius())))
	level = min(max(level, coarsestLevel), finestLevel)
	return cover(region, level-(level-coarsestLevel)%levelStep, mostCells)
}

// clusters counts what a filter finds in each area, in one statement.
func (s *search) clusters(ctx context.Context, q db.Querier) ([]Cluster, error) {
	if s.drive != nil {
		s.must, s.drive = append(s.must, s.drive), nil
	}
	text := s.clusterText(s.areas())
	clusters := []Cluster{}
	var until *time.Time
	scan := func(row db.Row, c *Cluster) error {
		var cell int64
		var x, y, z float64
		err := row.Scan(&cell, &c.Count, &x, &y, &z, &until)
		c.Area = areaOf(cell)
		c.Lat, c.Lng = degrees(s2.PointFromCoords(x, y, z))
		return err
	}
	clusters, err := db.Append(ctx, q, clusters, scan, db.SQL("event.cluster "+hash(text), text), s.args...)
	if err != nil {
		return nil, fmt.Errorf("event.cluster: %w", err)
	}
	if until != nil {
		respcache.Keep(ctx, s.now, *until)
	}
	return clusters, nil
}

// clusterText looks at the next events of each area, and then which of them the
// filter finds. The counts hold until the next event anywhere is over.
func (s *search) clusterText(areas []int64) string {
	s.begin()
	var branches []string
	inside := s.near("c") + s.about("c")
	for _, cell := range padded(areas) {
		branches = append(branches, fmt.Sprintf(`SELECT * FROM (SELECT c.* FROM (
			SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = %s AND l.starts_key > %s ORDER BY l.starts_key LIMIT %d) AS c
			WHERE TRUE%s ORDER BY c.starts_key LIMIT %d) AS b`, s.arg(cell), s.low, mostCrossed, inside, mostClustered))
	}
	where := s.upTo() + s.conditions()
	if priced := s.priced(); priced != "" {
		where += ` AND (SELECT 1 FROM events e WHERE e.starts_key = d.starts_key` + priced + `) = 1`
	}
	return `SELECT d.cell, COUNT(*), SUM(d.x), SUM(d.y), SUM(d.z),
			(SELECT MIN(n.over_at) FROM events n WHERE n.status = 'published' AND NOT n.swept AND n.over_at > ` + s.at + `)
		FROM (` + strings.Join(branches, ` UNION ALL `) + `) AS d
		WHERE d.starts_key NOT IN (` + access.OutOfDiscovery(s.me, s.at, s.low) + `)` + where + `
		GROUP BY d.cell ORDER BY d.cell`
}

// areaOf gives the box around a cell.
func areaOf(cell int64) Box {
	r := s2.CellFromCellID(s2.CellID(cell)).RectBound()
	south, west := r.Lo().Lat.Degrees(), r.Lo().Lng.Degrees()
	north, east := r.Hi().Lat.Degrees(), r.Hi().Lng.Degrees()
	return Box{West: west, South: max(south, -90), East: east, North: min(north, 90)}
}

func degrees(p s2.Point) (lat, lng float64) {
	at := s2.LatLngFromPoint(p)
	return at.Lat.Degrees(), at.Lng.Degrees()
}
