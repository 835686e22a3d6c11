-- owner: attendance
-- Where somebody goes openly, the latest first: what followers are shown.
CREATE INDEX participants_open ON participants (user_id, joined_at, event_id) WHERE status = 'going' AND visibility = 'public';
