-- owner: mail

-- Language and country (BCP 47) of the browser at the first sign-in; NULL: unknown.
ALTER TABLE notification_settings ADD COLUMN locale TEXT;
