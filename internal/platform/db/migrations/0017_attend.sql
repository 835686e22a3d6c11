-- owner: attendance

-- An invitation is also the calendar invite of its event: found by its id, and
-- listed by who got it and by who sent it.
CREATE UNIQUE INDEX invitations_id ON invitations (id);
CREATE INDEX invitations_incoming ON invitations (user_id, created_at, id);
CREATE INDEX invitations_outgoing ON invitations (invited_by, created_at, id);
