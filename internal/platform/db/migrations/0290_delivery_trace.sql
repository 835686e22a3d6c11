-- owner: deliver

ALTER TABLE appointment_outbox ADD COLUMN trace TEXT; -- traceparent of the request or job that has changed the attendance; NULL: not recorded
ALTER TABLE deliveries ADD COLUMN trace TEXT; -- traceparent of the request or job that has caused it; NULL: not recorded, or a digest
