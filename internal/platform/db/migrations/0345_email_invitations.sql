-- owner: attendance

-- The secret of the HMACs by which addresses without an account are found again. It is sealed, and stays the same with a
-- new SECRET_KEY.
CREATE TABLE mailbox_keys (
	id     INTEGER PRIMARY KEY,               -- always 1
	secret BYTEA NOT NULL
) -- clustered
;

-- Invitations to e-mail addresses, whether they have an account or not.
CREATE TABLE email_invitations (
	id           UUID PRIMARY KEY,
	event_id     UUID NOT NULL REFERENCES events (id),
	mailbox      UUID NOT NULL,                -- HMAC of the address without "+suffix": a UUID of version 8
	invited_by   UUID NOT NULL REFERENCES users (id),
	address      BYTEA,                        -- sealed; NULL: deleted
	message      TEXT,
	status       TEXT NOT NULL,                -- pending, accepted, declined, tentative, withdrawn
	name         TEXT,                         -- that the person who answered has typed
	user_id      UUID,                         -- the account that attends; NULL: none
	responded_at BIGINT,
	created_at   BIGINT NOT NULL
) -- clustered
;
CREATE UNIQUE INDEX email_invitations_once ON email_invitations (event_id, mailbox);
CREATE INDEX email_invitations_list ON email_invitations (event_id, id);
CREATE INDEX email_invitations_mailbox ON email_invitations (mailbox, id);
CREATE INDEX email_invitations_sender ON email_invitations (invited_by, id);
CREATE INDEX email_invitations_user ON email_invitations (user_id) WHERE user_id IS NOT NULL;

-- Accounts that an answer to such an invitation has made. The row ends when their owner signs in.
CREATE TABLE mail_guests (
	user_id   UUID PRIMARY KEY,
	delete_at BIGINT NOT NULL                  -- when the account is deleted
) -- clustered
;
CREATE INDEX mail_guests_due ON mail_guests (delete_at);
