-- owner: reminder

ALTER TABLE reminder_settings ADD COLUMN ask_again BOOLEAN NOT NULL DEFAULT FALSE; -- ask participants two days before whether they still come
