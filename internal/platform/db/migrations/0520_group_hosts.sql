-- owner: group

-- The owner and the hosts among many members.
CREATE INDEX group_members_hosts ON group_members (group_id, status, visibility, since, user_id, role) WHERE role <> 'member';
