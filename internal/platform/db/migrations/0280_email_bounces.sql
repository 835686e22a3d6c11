-- owner: deliver

-- Users to whose address e-mails could not be delivered. Signing in by e-mail deletes the row.
CREATE TABLE email_bounces (
	user_id       UUID PRIMARY KEY,
	soft_bounces  INTEGER NOT NULL,      -- failures that may end, at most one a day
	first_at      BIGINT NOT NULL,       -- of the soft bounces
	last_at       BIGINT NOT NULL,
	suppressed_at BIGINT                 -- since when nothing is sent; NULL: e-mails are sent
) -- clustered
;
