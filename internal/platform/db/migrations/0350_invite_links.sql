-- owner: attendance

-- Links by which people invite themselves to a private event. The token in the address is an HMAC of the id.
CREATE TABLE invite_links (
	id         UUID PRIMARY KEY,
	event_id   UUID NOT NULL REFERENCES events (id),
	created_by UUID NOT NULL REFERENCES users (id),
	uses       BIGINT NOT NULL,                -- users that the link has invited
	max_uses   BIGINT,                         -- NULL: no limit
	expires_at BIGINT,                         -- NULL: it ends with the event
	created_at BIGINT NOT NULL
) -- clustered
;
CREATE INDEX invite_links_list ON invite_links (event_id, id);
CREATE INDEX invite_links_creator ON invite_links (created_by, id);
