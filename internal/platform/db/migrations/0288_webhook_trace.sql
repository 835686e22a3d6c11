-- owner: webhook

ALTER TABLE webhook_messages ADD COLUMN trace TEXT; -- traceparent of the request or job that has caused the message; NULL: not recorded
