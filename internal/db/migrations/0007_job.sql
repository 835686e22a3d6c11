-- room: job
CREATE TABLE jobs (
	id         UUID PRIMARY KEY,
	kind       TEXT NOT NULL,
	key        TEXT NOT NULL,                  -- unique per kind: the same work is queued once
	payload    TEXT NOT NULL,                  -- JSON, no personal data beyond ids
	run_at     BIGINT NOT NULL,
	attempts   INTEGER NOT NULL,
	leased_by  TEXT,
	leased_until BIGINT,
	failed_at  BIGINT,                         -- set aside after too many attempts
	last_error TEXT,
	created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX jobs_key ON jobs (kind, key);
CREATE INDEX jobs_due ON jobs (run_at) WHERE failed_at IS NULL;
