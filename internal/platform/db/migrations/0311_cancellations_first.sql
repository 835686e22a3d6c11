-- owner: deliver

-- Cancellations are sent before other deliveries.
CREATE INDEX deliveries_cancellations ON deliveries (channel, due_at) WHERE kind = 'event_canceled' AND state IN ('waiting', 'sending');
