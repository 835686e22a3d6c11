-- owner: mail

-- Recipients who never again want a mail of a sender. A recipient without an account is an HMAC of the address.
CREATE TABLE outreach_refusals (
	recipient_id UUID NOT NULL,
	sender_id    UUID NOT NULL,
	created_at   BIGINT NOT NULL,
	PRIMARY KEY (recipient_id, sender_id)
) -- clustered
;
CREATE INDEX outreach_refusals_sender ON outreach_refusals (sender_id);
