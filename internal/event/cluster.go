package event

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/golang/geo/s2"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/page"
)

// mostClustered is how many events of one cluster's area are looked at, the
// next ones by start: that bounds the cost, whatever the box and the filter.
const mostClustered = 100

// Cluster is how many events were found in one area of a map, of the first
// mostClustered there, and their middle (contract §4.6).
type Cluster struct {
	Area     Box
	Lat, Lng float64 // degrees
	Count    int64
}

// clusterLevel is the S2 level whose cells are about two tiles of a web map
// wide at a zoom: level 1 at zoom 3 and less, level 13 at zoom 15 and more.
func clusterLevel(zoom int) int {
	level := min(max(zoom-2, coarsestLevel), finestLevel)
	return level - (level-coarsestLevel)%levelStep
}

// areas are the cells that a filter's place is divided into for a zoom; where
// they would be more than mostCells, some are larger.
func (f Filter) areas() []int64 {
	finest := clusterLevel(*f.Zoom)
	switch {
	case f.Box != nil:
		return cover(f.Box.region(), finest, mostCells)
	case f.Circle != nil:
		return cover(f.Circle.region(), finest, mostCells)
	default:
		return cover(world.region(), finest, mostCells)
	}
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
		page.Keep(ctx, s.now, *until)
	}
	return clusters, nil
}

// clusterText looks at the next events of each area, and then which of them the
// filter finds. The counts hold until the next event anywhere is over.
func (s *search) clusterText(areas []int64) string {
	s.begin()
	var branches []string
	for _, cell := range padded(areas) {
		branches = append(branches, `SELECT * FROM (SELECT cell, starts_key, x, y, z FROM event_cells
			WHERE cell = `+s.arg(cell)+` AND starts_key > `+s.low+` ORDER BY starts_key LIMIT `+strconv.Itoa(mostClustered)+`) AS b`)
	}
	where := s.conditions() + s.near("d") + s.about("d")
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
