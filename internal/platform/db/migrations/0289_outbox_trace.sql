-- owner: notify

ALTER TABLE notification_outbox ADD COLUMN trace TEXT; -- traceparent of the request or job that has notified; NULL: not recorded, or a broadcast
