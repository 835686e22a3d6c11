-- owner: attendance

-- The id of the notification about the join for the followers of the user, who receive it when they next look
-- at their list. NULL: none.
ALTER TABLE participants ADD COLUMN announcement UUID;

-- The joins of a user that followers may receive.
CREATE INDEX participants_announced ON participants (user_id, joined_at, event_id, announcement)
	WHERE announcement IS NOT NULL AND status = 'going' AND visibility = 'public';
