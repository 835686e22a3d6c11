-- owner: moderation

-- The queue of moderators.
CREATE TABLE reports (
	id          UUID PRIMARY KEY,
	reporter_id UUID REFERENCES users (id),    -- NULL once the account is deleted
	target_type TEXT NOT NULL,                 -- event, user, review
	target_id   UUID NOT NULL,
	reason      TEXT NOT NULL,
	comment     TEXT,
	status      INTEGER NOT NULL,              -- in the order of the queue: 0 open, 1 in_review, 2 resolved, 3 dismissed
	created_at  BIGINT NOT NULL,
	updated_at  BIGINT NOT NULL,
	resolved_at BIGINT,
	resolved_by UUID REFERENCES users (id)
);
CREATE UNIQUE INDEX reports_open ON reports (reporter_id, target_type, target_id) WHERE status = 0;
CREATE INDEX reports_queue ON reports (status, created_at, id);
CREATE INDEX reports_queue_of ON reports (target_type, status, created_at, id);
CREATE INDEX reports_reporter ON reports (reporter_id);
CREATE INDEX reports_resolver ON reports (resolved_by) WHERE resolved_by IS NOT NULL;

-- The audit trail: one row for each change of status of a report.
CREATE TABLE moderation_actions (
	id           UUID PRIMARY KEY,
	report_id    UUID NOT NULL REFERENCES reports (id),
	moderator_id UUID NOT NULL REFERENCES users (id),
	action       TEXT NOT NULL,                -- none, warn_user, hide_content, cancel_event, suspend_user
	from_status  INTEGER NOT NULL,
	to_status    INTEGER NOT NULL,
	note         TEXT,
	created_at   BIGINT NOT NULL
) -- append-only
;
CREATE INDEX moderation_actions_report ON moderation_actions (report_id, created_at);
CREATE INDEX moderation_actions_moderator ON moderation_actions (moderator_id, created_at);
