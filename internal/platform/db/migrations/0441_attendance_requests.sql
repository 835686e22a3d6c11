-- owner: attendance

-- Requests to join events, one for a user and event. An approved request is deleted.
CREATE TABLE join_requests (
	event_id   UUID NOT NULL,
	user_id    UUID NOT NULL REFERENCES users (id),
	id         UUID NOT NULL,                  -- the id of the participation that follows
	status     TEXT NOT NULL,                  -- pending, declined, withdrawn
	party      BIGINT NOT NULL,
	visibility TEXT NOT NULL,                  -- public, incognito
	declines   BIGINT NOT NULL,                -- how often the organizer has declined it
	created_at BIGINT NOT NULL,                -- of the latest request
	updated_at BIGINT NOT NULL,
	PRIMARY KEY (event_id, user_id)
) -- clustered
;
CREATE UNIQUE INDEX join_requests_id ON join_requests (id);
CREATE INDEX join_requests_pending ON join_requests (event_id, created_at, id) WHERE status = 'pending';
CREATE INDEX join_requests_user ON join_requests (user_id);

-- The guests whom organizers have removed: few of all participants.
CREATE INDEX participants_removed ON participants (event_id, user_id) WHERE status = 'removed';
