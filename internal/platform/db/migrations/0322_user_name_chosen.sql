-- owner: user

-- Whether the user has chosen display_name; otherwise it is random, or that of the identity provider. Only users who
-- have chosen it are in the search index.
ALTER TABLE profiles ADD COLUMN name_chosen BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE profiles SET name_chosen = TRUE WHERE display_name NOT LIKE 'User ____';
DELETE FROM people WHERE user_id IN (SELECT user_id FROM profiles WHERE NOT name_chosen);
