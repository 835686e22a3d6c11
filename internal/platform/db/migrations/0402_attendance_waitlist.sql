-- owner: attendance

-- Users wait: freed seats are kept for them. It is the same in all rows of an event.
ALTER TABLE event_slots ADD COLUMN waiting BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX event_slots_kept ON event_slots (event_id) WHERE kept > 0;

-- Seats that are held for a user until a time, or the start of the event. Whoever changes a row has locked the user's entry.
CREATE TABLE seat_holds (
	event_id UUID NOT NULL,
	user_id  UUID NOT NULL,
	slot     INTEGER NOT NULL,                 -- the row of event_slots that counts the seats in held
	party    BIGINT NOT NULL,
	reason   TEXT NOT NULL,                    -- offer
	until    BIGINT NOT NULL,
	PRIMARY KEY (event_id, user_id)
) -- clustered
;
CREATE INDEX seat_holds_user ON seat_holds (user_id);
CREATE INDEX seat_holds_until ON seat_holds (until);

-- The waiting lists of events: one entry a user.
CREATE TABLE waitlist_entries (
	event_id   UUID NOT NULL,
	user_id    UUID NOT NULL REFERENCES users (id),
	id         UUID NOT NULL,
	status     TEXT NOT NULL,                  -- waiting, offered, joined, expired, left, removed, closed
	party      BIGINT NOT NULL,
	visibility TEXT NOT NULL,                  -- public, incognito
	missed     BIGINT NOT NULL,                -- offers that were not accepted in time
	place      BIGINT NOT NULL,                -- the order in which seats are given
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	PRIMARY KEY (event_id, user_id)
) -- clustered
;
CREATE UNIQUE INDEX waitlist_entries_id ON waitlist_entries (id);
CREATE INDEX waitlist_entries_place ON waitlist_entries (event_id, place);
CREATE INDEX waitlist_entries_waiting ON waitlist_entries (event_id, place) WHERE status = 'waiting';
CREATE INDEX waitlist_entries_user ON waitlist_entries (user_id, event_id) WHERE status IN ('waiting', 'offered');
