-- owner: group

-- The newest announcements of a group.
CREATE INDEX group_announcements_list ON group_announcements (group_id, id);
