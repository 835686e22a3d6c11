-- owner: ratelimit

-- The used part of each quota when several instances share the limits. A crash may
-- empty the table; then every quota is free again.
CREATE TABLE rate_limits (
	key     BYTEA PRIMARY KEY,     -- HMAC of the rule and the limited caller
	free_at BIGINT NOT NULL,       -- when the whole quota is free again
	allowed BOOLEAN NOT NULL       -- the last decision
) -- clustered, -- unlogged
;
