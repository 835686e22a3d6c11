-- owner: group

CREATE TABLE group_announcements (
	id         UUID PRIMARY KEY,
	group_id   UUID NOT NULL REFERENCES groups (id),
	author_id  UUID NOT NULL REFERENCES users (id),
	body       TEXT NOT NULL,
	created_at BIGINT NOT NULL
);
CREATE INDEX group_announcements_group ON group_announcements (group_id);
CREATE INDEX group_announcements_author ON group_announcements (author_id);
