-- owner: mail

-- How a user gets notifications outside the app. NULL is the default. Users who changed
-- nothing have no row.
CREATE TABLE notification_settings (
	user_id     UUID PRIMARY KEY,
	quiet_from  INTEGER,                       -- minutes after midnight
	quiet_to    INTEGER,                       -- minutes after midnight
	timezone    TEXT,
	digest_hour INTEGER,
	digest_days INTEGER,                       -- a bit for each weekday: 1 is Monday, 64 is Sunday
	language    TEXT
) -- clustered
;

-- The kinds whose mode differs from the default.
CREATE TABLE notification_rules (
	user_id UUID NOT NULL,
	kind    TEXT NOT NULL,
	channel TEXT NOT NULL,                     -- email, push
	mode    TEXT NOT NULL,                     -- instant, digest, off
	PRIMARY KEY (user_id, kind, channel)
) -- clustered
;
-- Whether anybody gets a kind of notifications that is off by default.
CREATE INDEX notification_rules_on ON notification_rules (kind, channel) WHERE mode <> 'off';

-- Events about which a user gets nothing outside the app.
CREATE TABLE muted_events (
	user_id  UUID NOT NULL,
	event_id UUID NOT NULL,
	PRIMARY KEY (user_id, event_id)
) -- clustered
;

-- One row for each notification, or digest, that a channel brings to a user.
CREATE TABLE deliveries (
	user_id         UUID NOT NULL,
	notification_id UUID NOT NULL,             -- of a digest: the user
	about_at        BIGINT NOT NULL,           -- notifications.created_at; of a digest: when it is due
	channel         TEXT NOT NULL,             -- email, push
	target          UUID NOT NULL,             -- of email: the user; of push: the subscription
	kind            TEXT NOT NULL,             -- of the notification, or digest
	state           TEXT NOT NULL,             -- waiting, digest, sending, sent, skipped, failed
	due_at          BIGINT NOT NULL,           -- sending: when the lease ends; digest: when the digest is due
	expires_at      BIGINT NOT NULL,
	attempts        INTEGER NOT NULL,
	lease           UUID,                      -- while sending
	reason          TEXT,                      -- of skipped and failed, and of the last attempt
	ended_at        BIGINT,                    -- sent, skipped or failed
	trace           TEXT,                      -- traceparent of the request or job that has caused it; NULL: not recorded, or a digest
	PRIMARY KEY (user_id, notification_id, about_at, channel, target)
) -- clustered
;
CREATE INDEX deliveries_due ON deliveries (channel, due_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX deliveries_failed ON deliveries (ended_at) WHERE state = 'failed';
-- Cancellations are sent before other deliveries.
CREATE INDEX deliveries_cancellations ON deliveries (channel, due_at) WHERE kind = 'event_canceled' AND state IN ('waiting', 'sending');

-- Users to whose address e-mails could not be delivered. Signing in by e-mail deletes the row.
CREATE TABLE email_bounces (
	user_id       UUID PRIMARY KEY,
	soft_bounces  INTEGER NOT NULL,      -- failures that may end, at most one a day
	first_at      BIGINT NOT NULL,       -- of the soft bounces
	last_at       BIGINT NOT NULL,
	suppressed_at BIGINT                 -- since when nothing is sent; NULL: e-mails are sent
) -- clustered
;
CREATE INDEX email_bounces_suppressed ON email_bounces (suppressed_at) WHERE suppressed_at IS NOT NULL;

-- What the latest calendar message by mail (RFC 5546) has told the calendar program of a user
-- about an event. A row stays, so that the sequence only rises.
CREATE TABLE calendar_mails (
	user_id    UUID NOT NULL,
	event_id   UUID NOT NULL,
	sequence   BIGINT NOT NULL,                -- SEQUENCE of the message
	version    TEXT NOT NULL,                  -- equal for messages that tell the same; empty: canceled
	sent       BOOLEAN NOT NULL,               -- FALSE: it is unknown whether the message was accepted
	lease      UUID,                           -- of the delivery that is being sent
	lease_ends BIGINT,
	PRIMARY KEY (user_id, event_id)
) -- clustered
;

-- Users whose attendance of an event has changed, and for whom package mail has not planned
-- a calendar message yet. Rows are written only by a service that sends mails.
CREATE TABLE appointment_outbox (
	id       UUID PRIMARY KEY,                 -- UUIDv7
	user_id  UUID NOT NULL,
	event_id UUID NOT NULL,
	about_at BIGINT NOT NULL,                  -- when the attendance changed
	trace    TEXT                              -- traceparent of the request or job that has changed the attendance; NULL: not recorded
) -- clustered
;

-- The tokens of the requests of mail providers whose signature does not cover the body, so that nobody
-- can send one again with another body.
CREATE TABLE mail_event_tokens (
	token   BYTEA PRIMARY KEY,       -- SHA-256
	used_at BIGINT NOT NULL
) -- clustered
;

-- Messages to people who do not know their sender, one row for each notification and recipient.
CREATE TABLE outreach (
	recipient_id    UUID NOT NULL,
	notification_id UUID NOT NULL,           -- of a calendar message: the event
	about_at        BIGINT NOT NULL,         -- notifications.created_at
	sender_id       UUID NOT NULL,
	kind            TEXT NOT NULL,           -- of the notification
	event_id        UUID,
	trace           TEXT,                    -- traceparent of the request that has caused it; NULL: not recorded
	released_at     BIGINT,                  -- when it was counted against the budget of the sender; NULL: it waits
	weight          INTEGER NOT NULL,        -- 2 if e-mails to the address are suppressed, or this one came back
	sent_at         BIGINT,                  -- when it was first sent by any channel; NULL: not yet
	instant         BOOLEAN NOT NULL,        -- FALSE: not sent, or only in a digest
	mail_id         UUID,                    -- the id of the mail; NULL: no mail
	outcome         TEXT,                    -- bounced, complained; NULL: neither
	PRIMARY KEY (recipient_id, notification_id, about_at)
) -- clustered
;
CREATE INDEX outreach_released ON outreach (sender_id, released_at, about_at);
CREATE INDEX outreach_sent ON outreach (sender_id, sent_at);
CREATE INDEX outreach_age ON outreach (about_at);

-- The senders of outreach.
CREATE TABLE outreach_senders (
	user_id    UUID PRIMARY KEY,
	next_at    BIGINT,                       -- when the next message may be released; NULL: none waits, or all are stopped
	stopped_at BIGINT,                       -- since when a moderator has to look; NULL: not stopped
	resumed_at BIGINT                        -- when a moderator has looked
) -- clustered
;
CREATE INDEX outreach_senders_next ON outreach_senders (next_at) WHERE next_at IS NOT NULL;
