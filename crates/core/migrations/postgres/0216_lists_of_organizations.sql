-- The SQLite twin of this file has the same tables, columns and indexes.

-- Lists of organizations and members, newest first.
CREATE INDEX organizations_created_at ON organizations (created_at, id);
CREATE INDEX memberships_created_at ON memberships (organization_id, created_at, user_id);
