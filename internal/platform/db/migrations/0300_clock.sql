-- owner: clock

-- The latest time of the service: after a restart, the time is not before it.
CREATE TABLE clock (
	id       BIGINT PRIMARY KEY, -- always 1
	noted_at BIGINT NOT NULL
);
