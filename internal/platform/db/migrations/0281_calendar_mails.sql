-- owner: deliver

-- What the latest calendar message by mail (RFC 5546) has told the calendar program of a user
-- about an event. A row stays, so that the sequence only rises.
CREATE TABLE calendar_mails (
	user_id    UUID NOT NULL,
	event_id   UUID NOT NULL,
	sequence   BIGINT NOT NULL,                -- SEQUENCE of the message
	version    TEXT NOT NULL,                  -- equal for messages that tell the same; empty: canceled
	sent       BOOLEAN NOT NULL,               -- FALSE: it is unknown whether the message was accepted
	lease      UUID,                           -- of the delivery that is being sent
	lease_ends BIGINT,
	PRIMARY KEY (user_id, event_id)
) -- clustered
;
