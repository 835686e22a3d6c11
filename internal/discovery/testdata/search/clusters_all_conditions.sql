SELECT d.cell, COUNT(*), SUM(d.x), SUM(d.y), SUM(d.z),
	(SELECT MIN(n.over_at) FROM events n WHERE n.status = 'published' AND NOT n.swept AND n.over_at > $2)
FROM (
	SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $15 AND l.starts_key > $3 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND (c.x-$4)*(c.x-$4) + (c.y-$5)*(c.y-$5) + (c.z-$6)*(c.z-$6) <= $7
	AND c.z >= $8 AND c.z <= $9 AND (c.y*$10 - c.x*$11 >= $14 AND c.x*$13 - c.y*$12 >= $14)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $16 AND l.starts_key > $3 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND (c.x-$4)*(c.x-$4) + (c.y-$5)*(c.y-$5) + (c.z-$6)*(c.z-$6) <= $7
	AND c.z >= $8 AND c.z <= $9 AND (c.y*$10 - c.x*$11 >= $14 AND c.x*$13 - c.y*$12 >= $14)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $17 AND l.starts_key > $3 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND (c.x-$4)*(c.x-$4) + (c.y-$5)*(c.y-$5) + (c.z-$6)*(c.z-$6) <= $7
	AND c.z >= $8 AND c.z <= $9 AND (c.y*$10 - c.x*$11 >= $14 AND c.x*$13 - c.y*$12 >= $14)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $18 AND l.starts_key > $3 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND (c.x-$4)*(c.x-$4) + (c.y-$5)*(c.y-$5) + (c.z-$6)*(c.z-$6) <= $7
	AND c.z >= $8 AND c.z <= $9 AND (c.y*$10 - c.x*$11 >= $14 AND c.x*$13 - c.y*$12 >= $14)
	ORDER BY c.starts_key LIMIT 100) AS b
) AS d
WHERE d.starts_key NOT IN (SELECT o.starts_key FROM events o WHERE o.status = 'published' AND NOT o.swept AND o.over_at <= $2
		UNION ALL SELECT e.starts_key FROM blocks CROSS JOIN events e WHERE blocker_id = $1 AND e.organizer_id = blocked_id AND e.listed AND e.starts_key > $3
		UNION ALL SELECT e.starts_key FROM blocks CROSS JOIN events e WHERE blocked_id = $1 AND e.organizer_id = blocker_id AND e.listed AND e.starts_key > $3
) AND d.starts_key <= $19
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = d.starts_key AND t.term_id IN (SELECT value FROM ints($20) AS l) LIMIT 1) = 1
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = d.starts_key AND t.term_id IN (SELECT value FROM ints($21) AS l) LIMIT 1) = 1
	AND (SELECT 1 FROM events e WHERE e.starts_key = d.starts_key
	AND e.price || '' = $22
	) = 1
GROUP BY d.cell ORDER BY d.cell

-- plan of SQLite:
-- CO-ROUTINE d
-- COMPOUND QUERY
-- LEFT-MOST SUBQUERY
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- LIST SUBQUERY 16
-- COMPOUND QUERY
-- LEFT-MOST SUBQUERY
-- SEARCH o USING INDEX events_to_sweep (over_at<?)
-- CREATE BLOOM FILTER
-- SEARCH blocks USING PRIMARY KEY (blocker_id=?)
-- SEARCH e USING INDEX events_organizer_listed (organizer_id=? AND starts_key>?)
-- CREATE BLOOM FILTER
-- SEARCH blocks USING COVERING INDEX blocks_blocked (blocked_id=?)
-- SEARCH e USING INDEX events_organizer_listed (organizer_id=? AND starts_key>?)
-- CREATE BLOOM FILTER
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 16
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 16
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 16
-- SCAN d
-- REUSE LIST SUBQUERY 16
-- CORRELATED SCALAR SUBQUERY 19
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- LIST SUBQUERY 18
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY 22
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- LIST SUBQUERY 21
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY 23
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- USE TEMP B-TREE FOR GROUP BY
-- SCALAR SUBQUERY 1
-- SEARCH n USING INDEX events_to_sweep (over_at>?)
