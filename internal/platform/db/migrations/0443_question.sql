-- owner: question

-- Questions of hosts to the guests of an event.
CREATE TABLE event_questions (
	event_id   UUID NOT NULL,
	id         UUID NOT NULL,
	position   BIGINT NOT NULL,                -- in the form
	kind       TEXT NOT NULL,                  -- text, choice, choices, checkbox
	label      TEXT NOT NULL,
	required   BOOLEAN NOT NULL,
	options    TEXT NOT NULL,                  -- one a line
	applies_to TEXT NOT NULL,                  -- guest, companion
	at_door    BOOLEAN NOT NULL,
	retired    BOOLEAN NOT NULL,               -- replaced, and kept for its answers
	PRIMARY KEY (event_id, id)
) -- clustered
;

-- Answers of users who go, wait or request to join. A row for each chosen option, or one.
CREATE TABLE event_answers (
	event_id    UUID NOT NULL,
	user_id     UUID NOT NULL REFERENCES users (id),
	question_id UUID NOT NULL,
	companion   BIGINT NOT NULL,               -- 0: the user
	item        BIGINT NOT NULL,               -- the order of chosen options
	value       TEXT NOT NULL,                 -- the text, the option, or true or false
	PRIMARY KEY (event_id, user_id, question_id, companion, item)
) -- clustered
;
CREATE INDEX event_answers_user ON event_answers (user_id);
