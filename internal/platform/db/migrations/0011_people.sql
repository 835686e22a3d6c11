-- owner: user
ALTER TABLE users ADD COLUMN deleted_at BIGINT; -- nothing but the id and the dates is left; suspended_at is set too

ALTER TABLE profiles ADD COLUMN words TEXT;     -- folded words of both names, a space before each; NULL: not in the search yet
CREATE INDEX profiles_unsearched ON profiles (user_id) WHERE words IS NULL;

-- The search of people: each listed person once per word, everywhere and in
-- their city, in the order of the list. No foreign key: a row goes with its
-- profile, and a profile is many rows.
CREATE TABLE people (
	term     TEXT NOT NULL,    -- folded city or nothing, the separator, folded word or nothing
	name_key TEXT NOT NULL,    -- how the folded display name begins
	user_id  UUID NOT NULL,    -- user
	shared   INTEGER NOT NULL, -- bytes that an earlier word of the same person begins with too: a search for no more finds that one
	PRIMARY KEY (term, name_key, user_id)
) -- clustered
;
