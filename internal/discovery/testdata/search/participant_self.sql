SELECT e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, CASE WHEN e.status = 'published' AND e.over_at <= $2 THEN 'completed' ELSE e.status END,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		EXISTS (SELECT 1 FROM participants g WHERE g.event_id = e.id AND g.user_id = $1 AND g.status = 'going'), o.user_id, o.display_name, o.username, o.avatar_url, o.city, o.interests, TRUE FROM participants p CROSS JOIN events e LEFT JOIN profiles o ON o.user_id = e.organizer_id
WHERE e.listed AND e.over_at > $2 AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = e.organizer_id AND blocked_id = $1)
		AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = $1 AND blocked_id = e.organizer_id)
	AND e.id = p.event_id
	AND p.user_id = $4 AND p.status = 'going'
	AND e.starts_key > $3
ORDER BY e.starts_key LIMIT 21

-- plan of SQLite:
-- SEARCH p USING INDEX participants_user (user_id=?)
-- SEARCH e USING INDEX sqlite_autoindex_events_1 (id=?)
-- CORRELATED SCALAR SUBQUERY 3
-- SEARCH blocks USING PRIMARY KEY (blocker_id=? AND blocked_id=?)
-- CORRELATED SCALAR SUBQUERY 4
-- SEARCH blocks USING PRIMARY KEY (blocker_id=? AND blocked_id=?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 1
-- SEARCH s USING PRIMARY KEY (event_id=?)
-- CORRELATED SCALAR SUBQUERY 2
-- SEARCH g USING PRIMARY KEY (event_id=? AND user_id=?)
-- USE TEMP B-TREE FOR ORDER BY
