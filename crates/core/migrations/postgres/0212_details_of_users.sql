-- The SQLite twin of this file has the same tables, columns and indexes.

-- What the application keeps with an account: its own id, and a JSON object, letter by letter.
ALTER TABLE users ADD COLUMN external_id TEXT;
ALTER TABLE users ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
CREATE INDEX users_created_at ON users (created_at, id);
-- For the beginnings of addresses and names. On PostgreSQL only an index by bytes finds them.
CREATE INDEX users_email_prefix ON users (email_key COLLATE "C");
CREATE INDEX users_username_prefix ON users (username_key COLLATE "C");
-- Few users have a platform role.
CREATE INDEX users_with_role ON users (id) WHERE roles <> '';
