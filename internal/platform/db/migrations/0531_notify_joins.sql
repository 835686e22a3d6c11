-- owner: notify

-- The time up to which a recipient has received the joins of followed users: earlier ones are rows in notifications.
ALTER TABLE broadcasts_received ADD COLUMN joins_at BIGINT NOT NULL DEFAULT 0;
