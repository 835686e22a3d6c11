package discovery

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

// Limits of the cost of clusters. A search reads the next maxClusterScanned events of
// each area, and counts at most maxClusterCount of those inside circle and box.
const (
	maxClusterScanned = 1000
	maxClusterCount   = 100
)

// Cluster is the number of events that were found in one area of a map, and
// their centre (contract §4.6).
type Cluster struct {
	Area     geo.Box
	Lat, Lng float64 // degrees
	Count    int64
}

// clusters counts the events of a filter in each area with one statement.
func (s *search) clusters(ctx context.Context, q db.Querier) ([]Cluster, error) {
	if s.scanned != nil {
		s.groups, s.scanned = append(s.groups, s.scanned), nil
	}
	text := s.clusterText(geo.ZoomCells(s.region(), *s.Zoom))
	clusters := []Cluster{}
	var until *time.Time
	scan := func(row db.Row, c *Cluster) error {
		var cell int64
		var x, y, z float64
		err := row.Scan(&cell, &c.Count, &x, &y, &z, &until)
		c.Area = geo.BoundsOf(cell)
		c.Lat, c.Lng = geo.Degrees(x, y, z)
		return err
	}
	clusters, err := db.Append(ctx, q, clusters, scan, db.SQL("discovery.clusters "+hash(text), text), s.args...)
	if err != nil {
		return nil, err
	}
	if until != nil {
		cache.Until(ctx, *until)
	}
	return clusters, nil
}

// clusterText returns the text of a statement that counts the matching events of each
// area. The last column is the time at which the next event of all is over: until
// then the counts are valid.
func (s *search) clusterText(areas []int64) string {
	s.begin()
	var branches []string
	inside := s.cellInCircle("c") + s.cellInBox("c")
	for _, cell := range padToBucket(areas) {
		branches = append(branches, fmt.Sprintf(`SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = %s AND l.starts_key > %s ORDER BY l.starts_key LIMIT %d) AS c
	WHERE TRUE%s
	ORDER BY c.starts_key LIMIT %d) AS b`, s.arg(cell), s.lowerParam, maxClusterScanned, inside, maxClusterCount))
	}
	where := s.upperBound() + s.inGroups()
	if price := s.hasPrice(); price != "" {
		where += and + `(SELECT 1 FROM events e WHERE e.starts_key = d.starts_key` + price + "\n\t) = 1"
	}
	return `SELECT d.cell, COUNT(*), SUM(d.x), SUM(d.y), SUM(d.z),
	(SELECT MIN(n.over_at) FROM events n WHERE n.status = 'published' AND NOT n.swept AND n.over_at > ` + s.nowParam + `)
FROM (
	` + strings.Join(branches, "\n\tUNION ALL ") + `
) AS d
WHERE d.starts_key NOT IN (` + access.OutOfDiscovery(s.viewerParam, s.nowParam, s.lowerParam) + `
)` + where + `
GROUP BY d.cell ORDER BY d.cell`
}
