-- owner: job

CREATE INDEX jobs_discarded ON jobs (failed_at) WHERE failed_at IS NOT NULL;
