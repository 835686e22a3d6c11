-- owner: event

-- An empty title belongs to a draft that has none yet.
ALTER TABLE events ADD COLUMN theme TEXT;          -- colours of its page, see event.Themes
ALTER TABLE events ADD COLUMN image_aspect DOUBLE PRECISION; -- width by height of an uploaded image
ALTER TABLE events ADD COLUMN cancel_message TEXT; -- of the organizer to the guests
CREATE INDEX events_untitled ON events (updated_at) WHERE status = 'draft' AND title = '';
