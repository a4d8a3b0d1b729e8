-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Usernames, folded, that an account gave up or was deleted with: until then they are its person's alone. The account may
-- be gone, so its id refers to nothing.
CREATE TABLE kept_usernames (
    username_key TEXT PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_usernames_user ON kept_usernames (user_id);
CREATE INDEX kept_usernames_expires ON kept_usernames (expires_at);
