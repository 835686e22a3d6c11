-- owner: smtp

-- The newest mails of a service in development without a mail server: see the page /dev/mail.
-- Empty in production.
CREATE TABLE dev_mails (
	id        UUID PRIMARY KEY,    -- UUIDv7: in the order of sending
	sent_at   BIGINT NOT NULL,
	recipient TEXT NOT NULL,
	subject   TEXT NOT NULL,
	body_text TEXT NOT NULL,
	body_html TEXT NOT NULL,       -- empty: none
	source    TEXT NOT NULL        -- as a mail server would get it
) -- clustered
;
