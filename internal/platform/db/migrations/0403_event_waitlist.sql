-- owner: event

ALTER TABLE events ADD COLUMN waitlist TEXT NOT NULL DEFAULT 'off';                    -- off, automatic, offer
ALTER TABLE events ADD COLUMN waitlist_offer_minutes BIGINT NOT NULL DEFAULT 720;

-- The event has or had a waiting list. Other events need no look at the entries.
ALTER TABLE events ADD COLUMN waitlisted BOOLEAN NOT NULL DEFAULT FALSE;
