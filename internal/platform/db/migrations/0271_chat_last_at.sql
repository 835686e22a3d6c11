-- owner: chat

-- For the readers that look for chats with new messages.
CREATE INDEX chats_last_at ON chats (last_at);
