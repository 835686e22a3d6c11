-- owner: attendance

-- The invitations that a user has not answered.
CREATE INDEX invitations_pending ON invitations (user_id, event_id) WHERE status = 'pending';
