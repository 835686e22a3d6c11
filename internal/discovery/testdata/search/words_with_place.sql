WITH page AS (SELECT DISTINCT d.starts_key FROM (
	SELECT d.starts_key FROM event_terms d WHERE d.term_id = $4 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key FROM event_terms d WHERE d.term_id = $5 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key FROM event_terms d WHERE d.term_id = $6 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key FROM event_terms d WHERE d.term_id = $7 AND d.starts_key > $2 AND d.starts_key <= $3
	ORDER BY starts_key LIMIT 20000) AS d
WHERE TRUE
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = d.starts_key AND t.term_id IN (SELECT value FROM ints($8) AS l) LIMIT 1) = 1
	AND (SELECT 1 FROM events e WHERE e.starts_key = d.starts_key AND e.listed AND e.over_at > $1
	AND e.price || '' = $9
	AND e.lat IS NOT NULL
	) = 1
ORDER BY d.starts_key LIMIT 21),
last AS (SELECT d.starts_key FROM (
	SELECT d.starts_key FROM event_terms d WHERE d.term_id = $4 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key FROM event_terms d WHERE d.term_id = $5 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key FROM event_terms d WHERE d.term_id = $6 AND d.starts_key > $2 AND d.starts_key <= $3
	UNION ALL SELECT d.starts_key FROM event_terms d WHERE d.term_id = $7 AND d.starts_key > $2 AND d.starts_key <= $3
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
-- SEARCH d USING PRIMARY KEY (term_id=? AND starts_key>? AND starts_key<?) (4 times)
-- SCAN d
-- CORRELATED SCALAR SUBQUERY 7
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- LIST SUBQUERY 6
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY 8
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SCAN page
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 16
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- USE TEMP B-TREE FOR ORDER BY
-- CO-ROUTINE last
-- CO-ROUTINE d
-- SEARCH d USING PRIMARY KEY (term_id=? AND starts_key>? AND starts_key<?) (4 times)
-- SCALAR SUBQUERY 14
-- SCAN page
-- SCAN d
-- SCAN last
-- SEARCH e USING INDEX events_starts_key (starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 16
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- USE TEMP B-TREE FOR ORDER BY
