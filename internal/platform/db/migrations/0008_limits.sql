-- owner: ratelimit
-- How much each key has used up of its quota, where several instances count
-- together. What is lost with it in a crash is forgiven.
CREATE TABLE rate_limits (
	key     BYTEA PRIMARY KEY,     -- HMAC of the rule and of whom it holds for
	free_at BIGINT NOT NULL,       -- when the whole quota is free again
	allowed BOOLEAN NOT NULL       -- what the last decision was
) -- clustered, -- unlogged
;
