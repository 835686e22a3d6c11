SELECT e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, CASE WHEN e.status = 'published' AND e.over_at <= $1 THEN 'completed' ELSE e.status END,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		FALSE, o.user_id, o.display_name, o.username, o.avatar_url, o.city, o.interests, TRUE FROM events e LEFT JOIN profiles o ON o.user_id = e.organizer_id
WHERE e.listed AND e.over_at > $1
	AND e.starts_key > $2
ORDER BY e.starts_key LIMIT 21

-- plan of SQLite:
-- SEARCH e USING INDEX events_listed (starts_key>?)
-- SEARCH o USING INDEX sqlite_autoindex_profiles_1 (user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY 1
-- SEARCH s USING PRIMARY KEY (event_id=?)
