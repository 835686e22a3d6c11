-- owner: realtime

-- The tickets of WebSockets that were used. They name nobody.
CREATE TABLE realtime_tickets (
	hash       BYTEA PRIMARY KEY,        -- SHA-256
	expires_at BIGINT NOT NULL
);
CREATE INDEX realtime_tickets_expires ON realtime_tickets (expires_at);
