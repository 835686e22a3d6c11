-- owner: job

-- The work that is queued for later.
CREATE TABLE jobs (
	kind       TEXT NOT NULL,
	key        TEXT NOT NULL,      -- unique within the kind: the same work is queued once
	payload    TEXT NOT NULL,      -- JSON; no personal data except ids
	run_at     BIGINT NOT NULL,    -- due from then on; while a worker runs the job: when its lease ends
	lease      UUID,               -- the lease of the worker that runs the job; NULL when no worker does
	attempts   INTEGER NOT NULL,
	failed_at  BIGINT,             -- discarded after too many attempts
	last_error TEXT,
	trace      TEXT,               -- traceparent of the request that has put the job; NULL: not recorded
	created_at BIGINT NOT NULL,
	PRIMARY KEY (kind, key)
) -- clustered
;
CREATE INDEX jobs_due ON jobs (run_at) WHERE failed_at IS NULL;
CREATE INDEX jobs_discarded ON jobs (failed_at) WHERE failed_at IS NOT NULL;
