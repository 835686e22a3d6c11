-- owner: host

-- The hosts of events beside the organizer, who is in events.
CREATE TABLE event_hosts (
	event_id   UUID NOT NULL,
	user_id    UUID NOT NULL REFERENCES users (id),
	role       TEXT NOT NULL,                  -- host
	status     TEXT NOT NULL,                  -- pending, active, ended
	created_at BIGINT NOT NULL,
	joined_at  BIGINT,                         -- the latest start as a host; NULL if there was none
	PRIMARY KEY (event_id, user_id)
) -- clustered
;
CREATE INDEX event_hosts_user ON event_hosts (user_id, event_id);
