SELECT e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, CASE WHEN e.status = 'published' AND e.over_at <= $1 THEN 'completed' ELSE e.status END,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		FALSE, o.user_id, o.display_name, o.username, o.avatar_url, o.city, o.interests, TRUE FROM events e LEFT JOIN profiles o ON o.user_id = e.organizer_id
WHERE e.listed AND e.over_at > $1 AND e.starts_key <= $3
	AND (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id = $4 LIMIT 1) = 1
	AND (SELECT 1 FROM event_cells c WHERE c.starts_key = e.starts_key AND c.cell IN (SELECT value FROM ints($5) AS l)
	AND (c.x-$6)*(c.x-$6) + (c.y-$7)*(c.y-$7) + (c.z-$8)*(c.z-$8) <= $9
	LIMIT 1) = 1
	AND e.organizer_id = $10
	AND e.starts_key > $2
ORDER BY e.starts_key LIMIT 21

-- plan of SQLite:
-- SEARCH e USING INDEX events_organizer_listed (organizer_id=? AND starts_key>? AND starts_key<?)
-- CORRELATED SCALAR SUBQUERY 2
-- SEARCH t USING PRIMARY KEY (term_id=? AND starts_key=?)
-- CORRELATED SCALAR SUBQUERY 5
-- SEARCH c USING PRIMARY KEY (cell=? AND starts_key=?)
-- LIST SUBQUERY 4
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 1
-- SEARCH s USING PRIMARY KEY (event_id=?)
