-- owner: reminder

-- Which reminders the organizer of an event has chosen.
CREATE TABLE reminder_settings (
	event_id        UUID PRIMARY KEY REFERENCES events (id),
	enabled         BOOLEAN NOT NULL,
	offsets_minutes TEXT NOT NULL,                  -- JSON array, descending
	channels        TEXT NOT NULL,                  -- JSON array
	ask_again       BOOLEAN NOT NULL DEFAULT FALSE, -- ask participants two days before whether they still come
	updated_at      BIGINT NOT NULL
);

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
