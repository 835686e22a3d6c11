-- owner: deliver

-- Users whose attendance of an event has changed, and for whom package deliver has not planned
-- a calendar message yet. Rows are written only by a service that sends mails.
CREATE TABLE appointment_outbox (
	id       UUID PRIMARY KEY,                 -- UUIDv7
	user_id  UUID NOT NULL,
	event_id UUID NOT NULL,
	about_at BIGINT NOT NULL                   -- when the attendance changed
) -- clustered
;
