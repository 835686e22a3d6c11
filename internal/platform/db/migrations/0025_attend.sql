-- owner: attendance
-- Whom the page of an event may name. How many others go incognito must not
-- show in how long it takes to find them.
CREATE INDEX participants_shown ON participants (event_id, user_id) WHERE status = 'going' AND visibility = 'public';
