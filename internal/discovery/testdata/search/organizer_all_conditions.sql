SELECT e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, CASE WHEN e.status = 'published' AND e.over_at <= $2 THEN 'completed' ELSE e.status END,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		EXISTS (SELECT 1 FROM participants g WHERE g.event_id = e.id AND g.user_id = $1 AND g.status = 'going'), o.user_id, o.display_name, o.username, o.avatar_url, o.city, o.interests, TRUE FROM events e LEFT JOIN profiles o ON o.user_id = e.organizer_id
WHERE e.listed AND e.over_at > $2 AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = e.organizer_id AND blocked_id = $1)
		AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = $1 AND blocked_id = e.organizer_id) AND e.starts_key <= $4
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints($5) AS l) LIMIT 1) = 1
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints($6) AS l) LIMIT 1) = 1
	AND e.price || '' = $7
	AND (SELECT 1 FROM event_cells c WHERE c.starts_key = e.starts_key AND c.cell = $8
	AND (c.x-$9)*(c.x-$9) + (c.y-$10)*(c.y-$10) + (c.z-$11)*(c.z-$11) <= $12
	LIMIT 1) = 1
	AND e.organizer_id = $13
	AND e.starts_key > $3
ORDER BY e.starts_key LIMIT 21

-- plan of SQLite:
-- SEARCH e USING INDEX events_organizer_listed (organizer_id=? AND starts_key>? AND starts_key<?)
-- CORRELATED SCALAR SUBQUERY 3
-- SEARCH blocks USING PRIMARY KEY (blocker_id=? AND blocked_id=?)
-- CORRELATED SCALAR SUBQUERY 4
-- SEARCH blocks USING PRIMARY KEY (blocker_id=? AND blocked_id=?)
-- CORRELATED SCALAR SUBQUERY 7
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- LIST SUBQUERY 6
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY 10
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- LIST SUBQUERY 9
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY 11
-- SEARCH c USING PRIMARY KEY (cell=? AND starts_key=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 1
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- CORRELATED SCALAR SUBQUERY 2
-- SEARCH g USING PRIMARY KEY (event_id=? AND user_id=?)
