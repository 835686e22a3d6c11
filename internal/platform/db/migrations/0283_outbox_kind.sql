-- owner: notify

ALTER TABLE notification_outbox ADD COLUMN kind TEXT; -- of the notification; NULL: written by an older version
