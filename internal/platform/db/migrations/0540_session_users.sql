-- owner: session

-- One index of all sessions of a user, instead of one of the active and one of the ended ones: each refresh writes to all indexes.
-- contract: the version before finds the sessions of a user by the new index.
CREATE INDEX sessions_by_user ON sessions (user_id);
DROP INDEX sessions_user;
DROP INDEX sessions_ended;
