-- owner: deliver

-- Whether anybody gets a kind of notifications that is off by default.
CREATE INDEX notification_rules_on ON notification_rules (kind, channel) WHERE mode <> 'off';
