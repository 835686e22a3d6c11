-- owner: reminder

-- The reminders that are ahead of published events. A change of the start or of the settings
-- replaces the rows of an event.
CREATE TABLE reminders (
	event_id       UUID NOT NULL,
	offset_minutes INTEGER NOT NULL,
	starts_at      BIGINT NOT NULL,            -- the start for which the row was made
	due_at         BIGINT NOT NULL,
	PRIMARY KEY (event_id, offset_minutes)
) -- clustered
;
CREATE INDEX reminders_due ON reminders (due_at);
