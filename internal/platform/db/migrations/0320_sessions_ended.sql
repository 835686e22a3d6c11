-- owner: session

-- A sign-in compares its device with those of the user's earlier sessions, also the ended ones.
CREATE INDEX sessions_ended ON sessions (user_id) WHERE revoked_at IS NOT NULL;
