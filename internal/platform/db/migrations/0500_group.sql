-- owner: group

CREATE TABLE groups (
	id           UUID PRIMARY KEY,
	owner_id     UUID NOT NULL REFERENCES users (id),
	slug         TEXT NOT NULL,                -- also in group_slugs
	name         TEXT NOT NULL,
	description  TEXT,
	city         TEXT,
	lat          DOUBLE PRECISION,
	lng          DOUBLE PRECISION,
	x            DOUBLE PRECISION,             -- the point on the unit sphere; NULL without lat and lng
	y            DOUBLE PRECISION,
	z            DOUBLE PRECISION,
	image_url    TEXT,
	visibility   TEXT NOT NULL,                -- public, private
	join_policy  TEXT NOT NULL,                -- open, approval, invitation
	member_list  TEXT NOT NULL,                -- who may read it: public, members, hosts
	member_count BIGINT NOT NULL,              -- active members
	name_key     TEXT NOT NULL,                -- the start of the folded name: lists are sorted by it
	city_key     TEXT NOT NULL,                -- the start of the folded city
	words        TEXT NOT NULL,                -- those of name, description and city, each after a space
	suspended_at BIGINT,
	created_at   BIGINT NOT NULL,
	updated_at   BIGINT NOT NULL
);
CREATE INDEX groups_listed ON groups (name_key, id) WHERE visibility = 'public' AND suspended_at IS NULL;
CREATE INDEX groups_listed_city ON groups (city_key, name_key, id) WHERE visibility = 'public' AND suspended_at IS NULL;
CREATE INDEX groups_owner ON groups (owner_id);
CREATE INDEX groups_image ON groups (image_url) WHERE image_url IS NOT NULL;

-- Current and earlier slugs: each leads to one group.
CREATE TABLE group_slugs (
	slug     TEXT PRIMARY KEY,
	group_id UUID NOT NULL REFERENCES groups (id),
	until    BIGINT                            -- when an earlier one ends; NULL: the current one
);
CREATE INDEX group_slugs_group ON group_slugs (group_id);

CREATE TABLE group_members (
	group_id   UUID NOT NULL REFERENCES groups (id),
	user_id    UUID NOT NULL REFERENCES users (id),
	role       TEXT NOT NULL,                  -- owner, host, member
	status     TEXT NOT NULL,                  -- invited, requested, active, banned
	visibility TEXT NOT NULL,                  -- public, incognito
	since      BIGINT NOT NULL,                -- of the status
	PRIMARY KEY (group_id, user_id)
) -- clustered
;
CREATE INDEX group_members_since ON group_members (group_id, status, visibility, since, user_id);
CREATE INDEX group_members_user ON group_members (user_id, since, group_id);
