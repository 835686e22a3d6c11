-- owner: chat

-- To find a reported message. Ids rise with time, so a new message writes to the last page of the index.
CREATE INDEX messages_id ON messages (id);
