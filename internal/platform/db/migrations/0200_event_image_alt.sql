-- owner: event

ALTER TABLE events ADD COLUMN image_alt TEXT; -- alternative text of the image
