-- The SQLite twin of this file has the same tables, columns and indexes.

-- The link that makes the first administrator: at most one. The token itself is nowhere, only its keyed hash.
CREATE TABLE setup_links (
    id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1),
    token_hash BYTEA NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);

-- Whether there is an administrator. Hardly any row is in this index.
CREATE INDEX users_with_roles ON users (id) WHERE roles <> '';
