-- owner: media

-- The pictures that users have uploaded. The files are in the store of MEDIA.
CREATE TABLE media (
	id         UUID PRIMARY KEY,
	owner_id   UUID REFERENCES users (id), -- NULL after the account is deleted
	hash       TEXT NOT NULL,              -- of the id and the largest file, hexadecimal; begins the names of the files
	url        TEXT NOT NULL,              -- as events and profiles show it
	bytes      BIGINT NOT NULL,            -- of all files
	created_at BIGINT NOT NULL,
	remove_at  BIGINT                      -- NULL while an event or the profile of the owner shows the picture
);
CREATE INDEX media_owner ON media (owner_id);
CREATE INDEX media_to_remove ON media (remove_at) WHERE remove_at IS NOT NULL;
