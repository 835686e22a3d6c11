-- owner: feed

-- Which events a user wants to see in their feed.
CREATE TABLE feed_preferences (
	user_id          UUID PRIMARY KEY REFERENCES users (id),
	city             TEXT,
	city_chosen      BOOLEAN NOT NULL,      -- the user set or cleared city; otherwise the city of the profile applies
	lat              DOUBLE PRECISION,
	lng              DOUBLE PRECISION,
	radius_km        DOUBLE PRECISION,
	categories       TEXT NOT NULL,         -- JSON array of strings
	muted_categories TEXT NOT NULL,         -- JSON array of strings
	price            TEXT NOT NULL,         -- any, free, paid
	include_followed BOOLEAN NOT NULL,
	updated_at       BIGINT
) -- clustered
;
