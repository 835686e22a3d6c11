-- The tables of the plain handlers, filled from those of the service in schema src.
CREATE TABLE users (id UUID PRIMARY KEY, display_name TEXT NOT NULL, username TEXT NOT NULL UNIQUE, avatar_url TEXT, city TEXT, interests TEXT NOT NULL);
INSERT INTO users SELECT user_id, display_name, username, avatar_url, city, interests FROM src.profiles ORDER BY user_id;

CREATE TABLE events (
	id UUID PRIMARY KEY, organizer_id UUID NOT NULL REFERENCES users (id), listed BOOLEAN NOT NULL, status TEXT NOT NULL, visibility TEXT NOT NULL,
	title TEXT NOT NULL, description TEXT, category TEXT, starts_at BIGINT NOT NULL, ends_at BIGINT, over_at BIGINT NOT NULL, starts_key BIGINT NOT NULL,
	timezone TEXT NOT NULL, date_mode TEXT NOT NULL, price TEXT NOT NULL, price_amount BIGINT, price_currency TEXT, capacity BIGINT,
	city TEXT, location_text TEXT, lat DOUBLE PRECISION, lng DOUBLE PRECISION, image_url TEXT, created_at BIGINT NOT NULL, going BIGINT NOT NULL);
INSERT INTO events SELECT id, organizer_id, listed, status, visibility, title, description, category, starts_at, ends_at, over_at, starts_key,
	timezone, date_mode, price, price_amount, price_currency, capacity, city, location_text, lat, lng, image_url, created_at,
	(SELECT COALESCE(SUM(n), 0) FROM src.event_slots s WHERE s.event_id = e.id) FROM src.events e ORDER BY id;
CREATE INDEX events_start ON events (starts_key) WHERE listed;
CREATE INDEX events_city ON events (city, starts_key) WHERE listed;
CREATE INDEX events_organizer ON events (organizer_id);

CREATE TABLE participants (
	event_id UUID NOT NULL REFERENCES events (id), user_id UUID NOT NULL REFERENCES users (id),
	visibility TEXT NOT NULL, joined_at BIGINT NOT NULL, PRIMARY KEY (event_id, user_id));
INSERT INTO participants SELECT event_id, user_id, visibility, joined_at FROM src.participants WHERE status = 'going' ORDER BY event_id, user_id;
CREATE INDEX participants_user ON participants (user_id);

CREATE TABLE sessions (
	id UUID PRIMARY KEY, user_id UUID NOT NULL REFERENCES users (id), access_hash BYTEA NOT NULL UNIQUE, refresh_hash BYTEA NOT NULL UNIQUE,
	used_at BIGINT NOT NULL);
INSERT INTO sessions SELECT id, user_id, access_hash, refresh_hash, last_used_at FROM src.sessions;
