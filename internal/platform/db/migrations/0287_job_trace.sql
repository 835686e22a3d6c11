-- owner: job

ALTER TABLE jobs ADD COLUMN trace TEXT; -- traceparent of the request that has put the job; NULL: not recorded
