SELECT d.cell, COUNT(*), SUM(d.x), SUM(d.y), SUM(d.z),
	(SELECT MIN(n.over_at) FROM events n WHERE n.status = 'published' AND NOT n.swept AND n.over_at > $1)
FROM (
	SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $10 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $11 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $12 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $13 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $14 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $15 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $16 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $17 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $18 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $19 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $20 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $21 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $22 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $23 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $24 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $25 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $26 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $27 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $28 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $29 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $30 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $31 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $32 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $33 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $34 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $35 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $36 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $37 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $38 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $39 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $40 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
	UNION ALL SELECT * FROM (SELECT c.* FROM (
		SELECT l.cell, l.starts_key, l.x, l.y, l.z FROM event_cells l WHERE l.cell = $41 AND l.starts_key > $2 ORDER BY l.starts_key LIMIT 1000) AS c
	WHERE TRUE
	AND c.z >= $3 AND c.z <= $4 AND (c.y*$5 - c.x*$6 >= $9 OR c.x*$8 - c.y*$7 >= $9)
	ORDER BY c.starts_key LIMIT 100) AS b
) AS d
WHERE d.starts_key NOT IN (SELECT o.starts_key FROM events o WHERE o.status = 'published' AND NOT o.swept AND o.over_at <= $1
) AND d.starts_key <= $42
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = d.starts_key AND t.term_id = $43 LIMIT 1) = 1
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
-- LIST SUBQUERY 98
-- SEARCH o USING INDEX events_to_sweep (over_at<?)
-- CREATE BLOOM FILTER
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- CO-ROUTINE b
-- CO-ROUTINE c
-- SEARCH l USING PRIMARY KEY (cell=? AND starts_key>?)
-- SCAN c
-- SCAN b
-- REUSE LIST SUBQUERY 98
-- SCAN d
-- REUSE LIST SUBQUERY 98
-- CORRELATED SCALAR SUBQUERY 99
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- USE TEMP B-TREE FOR GROUP BY
-- SCALAR SUBQUERY 1
-- SEARCH n USING INDEX events_to_sweep (over_at>?)
