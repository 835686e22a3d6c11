WITH page AS (SELECT d.starts_key FROM (
	SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $5 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $6 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $7 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $8 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $9 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $10 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $11 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $12 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $13 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $14 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $15 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $16 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $17 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $18 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $19 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $20 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $21 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $22 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $23 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $24 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $25 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $26 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $27 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $28 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $29 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $30 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $31 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $32 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $33 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $34 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $35 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $36 AND d.starts_key > $3 AND d.starts_key <= $4
	ORDER BY starts_key LIMIT 20000) AS d
WHERE TRUE
	AND (SELECT 1 FROM events e WHERE e.starts_key = d.starts_key AND e.listed AND e.over_at > $2 AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = e.organizer_id AND blocked_id = $1)
		AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = $1 AND blocked_id = e.organizer_id)
	AND e.price || '' = $37
	AND e.lat IS NOT NULL
	) = 1
ORDER BY d.starts_key LIMIT 21),
last AS (SELECT d.starts_key FROM (
	SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $5 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $6 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $7 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $8 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $9 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $10 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $11 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $12 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $13 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $14 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $15 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $16 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $17 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $18 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $19 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $20 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $21 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $22 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $23 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $24 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $25 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $26 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $27 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $28 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $29 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $30 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $31 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $32 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $33 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $34 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $35 AND d.starts_key > $3 AND d.starts_key <= $4
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $36 AND d.starts_key > $3 AND d.starts_key <= $4
	ORDER BY starts_key LIMIT 20000) AS d
ORDER BY d.starts_key LIMIT (SELECT CASE WHEN COUNT(*) < 21 THEN 1 ELSE 0 END FROM page) OFFSET 19999)
SELECT e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, CASE WHEN e.status = 'published' AND e.over_at <= $2 THEN 'completed' ELSE e.status END,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		EXISTS (SELECT 1 FROM participants g WHERE g.event_id = e.id AND g.user_id = $1 AND g.status = 'going'), o.user_id, o.display_name, o.username, o.avatar_url, o.city, o.interests, d.found FROM (SELECT starts_key, TRUE AS found FROM page UNION ALL SELECT starts_key, FALSE FROM last) AS d CROSS JOIN events e LEFT JOIN profiles o ON o.user_id = e.organizer_id
WHERE e.starts_key = d.starts_key ORDER BY e.starts_key, d.found DESC

-- plan of SQLite:
-- MATERIALIZE page
-- CO-ROUTINE d
-- SEARCH d USING PRIMARY KEY (cell=? AND starts_key>? AND starts_key<?) (32 times)
-- SCAN d
-- CORRELATED SCALAR SUBQUERY 35
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- CORRELATED SCALAR SUBQUERY 33
-- SEARCH blocks USING PRIMARY KEY (blocker_id=? AND blocked_id=?)
-- CORRELATED SCALAR SUBQUERY 34
-- SEARCH blocks USING PRIMARY KEY (blocker_id=? AND blocked_id=?)
-- SCAN page
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 71
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- CORRELATED SCALAR SUBQUERY 72
-- SEARCH g USING PRIMARY KEY (event_id=? AND user_id=?)
-- USE TEMP B-TREE FOR ORDER BY
-- CO-ROUTINE last
-- CO-ROUTINE d
-- SEARCH d USING PRIMARY KEY (cell=? AND starts_key>? AND starts_key<?) (32 times)
-- SCALAR SUBQUERY 69
-- SCAN page
-- SCAN d
-- SCAN last
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 71
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- CORRELATED SCALAR SUBQUERY 72
-- SEARCH g USING PRIMARY KEY (event_id=? AND user_id=?)
-- USE TEMP B-TREE FOR ORDER BY
