-- owner: event
-- What is left of each word of four letters or more when one of its letters is
-- missing: two words with something in common here are one typo apart, or two.
CREATE TABLE term_typos (
	typo    TEXT NOT NULL,
	term_id BIGINT NOT NULL,
	PRIMARY KEY (typo, term_id)
) -- clustered
;

INSERT INTO term_typos (typo, term_id)
WITH RECURSIVE letters (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM letters WHERE n < 40)
SELECT DISTINCT substr(t.term, 6, n - 1) || substr(t.term, 6 + n), t.id
FROM terms t JOIN letters ON n <= length(t.term) - 5
WHERE t.term LIKE 'word %' AND length(t.term) >= 9;
