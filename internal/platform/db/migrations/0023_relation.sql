-- owner: relation

-- When somebody last did in the open what their followers are shown: one short
-- row a person, so that of very many followed ones the latest are found fast.
CREATE TABLE open_deeds (
	user_id   UUID PRIMARY KEY REFERENCES users (id),
	joined_at BIGINT NOT NULL,             -- the latest join that is open still; 0 is none
	acted_at  BIGINT NOT NULL              -- the latest event published or post reposted; 0 is none
) -- clustered
;
