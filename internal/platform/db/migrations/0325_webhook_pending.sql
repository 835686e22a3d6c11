-- owner: webhook

-- pending: the server has not answered the challenge yet, so it gets no other message.
ALTER TABLE webhooks ADD COLUMN pending BOOLEAN NOT NULL DEFAULT FALSE;

-- Servers that have accepted a message count as asked. The others get a challenge now.
UPDATE webhooks SET pending = TRUE
	WHERE NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.webhook_id = webhooks.id AND a.error IS NULL);
INSERT INTO webhook_messages (webhook_id, id, kind, sequence, participant_count, data, attempts, due_at, created_at)
	SELECT w.id, w.id, 'challenge', 0, 0, '{}', 0, w.created_at, w.created_at FROM webhooks w WHERE w.pending AND w.status = 'active';
