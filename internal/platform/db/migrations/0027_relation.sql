-- owner: relation
-- Feeds no longer go by who did something last.
DROP TABLE open_deeds;
