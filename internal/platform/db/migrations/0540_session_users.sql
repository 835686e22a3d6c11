-- owner: session

-- One index of all sessions of a user, instead of one of the active and one of the ended ones: each refresh writes to all indexes.
CREATE INDEX sessions_by_user ON sessions (user_id);
DROP INDEX sessions_user;
DROP INDEX sessions_ended;
