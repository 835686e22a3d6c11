-- owner: job
CREATE TABLE jobs (
	kind       TEXT NOT NULL,
	key        TEXT NOT NULL,      -- with the kind it names the work: the same work is queued once
	payload    TEXT NOT NULL,      -- JSON, no personal data beyond ids; holds the progress of work done in steps
	run_at     BIGINT NOT NULL,    -- due from then on; while a worker holds the job: when its lease ends
	lease      UUID,               -- the worker's hold on the job; NULL when nobody holds it
	attempts   INTEGER NOT NULL,   -- begun since the last progress
	failed_at  BIGINT,             -- set aside after too many attempts
	last_error TEXT,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (kind, key)
) -- clustered
;
CREATE INDEX jobs_due ON jobs (run_at) WHERE failed_at IS NULL;
