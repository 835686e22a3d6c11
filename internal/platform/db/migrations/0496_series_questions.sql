-- owner: series

ALTER TABLE event_series ADD COLUMN questions_of UUID;   -- the event whose questions the first date has; NULL: none
