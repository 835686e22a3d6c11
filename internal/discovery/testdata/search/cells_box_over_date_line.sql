WITH page AS (SELECT d.starts_key FROM (
	SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $4 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $5 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $6 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $7 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $8 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $9 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $10 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $11 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $12 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $13 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $14 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $15 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $16 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $17 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $18 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $19 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $20 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $21 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $22 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $23 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $24 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $25 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $26 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $27 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $28 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $29 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $30 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $31 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $32 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $33 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $34 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $35 AND d.starts_key > $2 AND d.starts_key <= $3
	ORDER BY starts_key LIMIT 20000) AS d
WHERE TRUE
	AND d.z >= $36 AND d.z <= $37 AND (d.y*$38 - d.x*$39 >= $42 AND d.x*$41 - d.y*$40 >= $42)
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = d.starts_key AND t.term_id = $43 LIMIT 1) = 1
	AND (SELECT 1 FROM events e WHERE e.starts_key = d.starts_key AND e.listed AND e.over_at > $1
	AND e.price || '' = $44
	AND e.lat >= $45 AND e.lat <= $46 AND (e.lng >= $47 OR e.lng <= $48)
	) = 1
ORDER BY d.starts_key LIMIT 21),
last AS (SELECT d.starts_key FROM (
	SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $4 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $5 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $6 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $7 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $8 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $9 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $10 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $11 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $12 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $13 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $14 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $15 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $16 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $17 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $18 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $19 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $20 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $21 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $22 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $23 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $24 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $25 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $26 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $27 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $28 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $29 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $30 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $31 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $32 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $33 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $34 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key, d.x, d.y, d.z FROM event_cells d WHERE d.cell = $35 AND d.starts_key > $2 AND d.starts_key <= $3
	ORDER BY starts_key LIMIT 20000) AS d
ORDER BY d.starts_key LIMIT (SELECT CASE WHEN COUNT(*) < 21 THEN 1 ELSE 0 END FROM page) OFFSET 19999)
SELECT e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, CASE WHEN e.status = 'published' AND e.over_at <= $1 THEN 'completed' ELSE e.status END,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		FALSE, o.user_id, o.display_name, o.username, o.avatar_url, o.city, o.interests, d.found FROM (SELECT starts_key, TRUE AS found FROM page UNION ALL SELECT starts_key, FALSE FROM last) AS d CROSS JOIN events e LEFT JOIN profiles o ON o.user_id = e.organizer_id
WHERE e.starts_key = d.starts_key ORDER BY e.starts_key, d.found DESC

-- plan of SQLite:
-- MATERIALIZE page
-- CO-ROUTINE d
-- SEARCH d USING PRIMARY KEY (cell=? AND starts_key>? AND starts_key<?) (32 times)
-- SCAN d
-- CORRELATED SCALAR SUBQUERY 33
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- CORRELATED SCALAR SUBQUERY 34
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SCAN page
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 70
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- USE TEMP B-TREE FOR ORDER BY
-- CO-ROUTINE last
-- CO-ROUTINE d
-- SEARCH d USING PRIMARY KEY (cell=? AND starts_key>? AND starts_key<?) (32 times)
-- SCALAR SUBQUERY 68
-- SCAN page
-- SCAN d
-- SCAN last
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 70
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- USE TEMP B-TREE FOR ORDER BY
