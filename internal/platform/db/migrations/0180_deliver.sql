-- owner: deliver

-- How a user gets notifications outside the app. NULL is the default. Users who changed
-- nothing have no row.
CREATE TABLE notification_settings (
	user_id     UUID PRIMARY KEY,
	quiet_from  INTEGER,                       -- minutes after midnight
	quiet_to    INTEGER,                       -- minutes after midnight
	timezone    TEXT,
	digest_hour INTEGER,
	digest_days INTEGER,                       -- a bit for each weekday: 1 is Monday, 64 is Sunday
	language    TEXT
) -- clustered
;

-- The kinds whose mode differs from the default.
CREATE TABLE notification_rules (
	user_id UUID NOT NULL,
	kind    TEXT NOT NULL,
	channel TEXT NOT NULL,                     -- email, push
	mode    TEXT NOT NULL,                     -- instant, digest, off
	PRIMARY KEY (user_id, kind, channel)
) -- clustered
;

-- Events about which a user gets nothing outside the app.
CREATE TABLE muted_events (
	user_id  UUID NOT NULL,
	event_id UUID NOT NULL,
	PRIMARY KEY (user_id, event_id)
) -- clustered
;
