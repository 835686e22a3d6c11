-- owner: attendance

-- Who attends an event, or has left it. There is no foreign key to events, because its check
-- would lock the row of a popular event in every join. Events are never deleted.
CREATE TABLE participants (
	event_id   UUID NOT NULL,
	user_id    UUID NOT NULL REFERENCES users (id),
	id         UUID NOT NULL,
	status     TEXT NOT NULL,                  -- going, left
	visibility TEXT NOT NULL,                  -- public, incognito
	slot       INTEGER NOT NULL,               -- the row of event_slots that counts this seat
	joined_at  BIGINT NOT NULL,
	left_at    BIGINT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	PRIMARY KEY (event_id, user_id)
) -- clustered
;
CREATE INDEX participants_user ON participants (user_id, event_id);

-- Public participations of a user, the latest first, for the feeds of followers.
CREATE INDEX participants_open ON participants (user_id, joined_at, event_id) WHERE status = 'going' AND visibility = 'public';

-- Participants whom an event page may name. The time to find them must not depend on
-- the number of incognito participants, which would reveal it.
CREATE INDEX participants_shown ON participants (event_id, user_id) WHERE status = 'going' AND visibility = 'public';

-- participant_count, divided among several rows, so that joins of a popular event do not
-- all wait for one row.
CREATE TABLE event_slots (
	event_id UUID NOT NULL,
	slot     INTEGER NOT NULL,
	n        BIGINT NOT NULL CHECK (n >= 0),
	cap      BIGINT,                           -- this slot's share of the capacity; NULL = unlimited, 0 = closed
	PRIMARY KEY (event_id, slot)
) -- clustered
;

-- An invitation is also the calendar invite of its event.
CREATE TABLE invitations (
	event_id     UUID NOT NULL REFERENCES events (id),
	user_id      UUID NOT NULL REFERENCES users (id),
	id           UUID NOT NULL,
	invited_by   UUID NOT NULL REFERENCES users (id),
	status       TEXT NOT NULL,                -- pending, accepted, declined, tentative
	message      TEXT,
	responded_at BIGINT,
	created_at   BIGINT NOT NULL,
	updated_at   BIGINT NOT NULL,
	PRIMARY KEY (event_id, user_id)
) -- clustered
;
CREATE INDEX invitations_user ON invitations (user_id, event_id);
CREATE UNIQUE INDEX invitations_id ON invitations (id);
CREATE INDEX invitations_incoming ON invitations (user_id, created_at, id);
CREATE INDEX invitations_outgoing ON invitations (invited_by, created_at, id);
