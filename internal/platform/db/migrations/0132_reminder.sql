-- owner: reminder

CREATE TABLE reminder_settings (
	event_id        UUID PRIMARY KEY REFERENCES events (id),
	enabled         BOOLEAN NOT NULL,
	offsets_minutes TEXT NOT NULL,             -- JSON array, descending
	channels        TEXT NOT NULL,             -- JSON array
	updated_at      BIGINT NOT NULL
);
