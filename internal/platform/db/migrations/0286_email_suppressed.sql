-- owner: deliver

CREATE INDEX email_bounces_suppressed ON email_bounces (suppressed_at) WHERE suppressed_at IS NOT NULL;
