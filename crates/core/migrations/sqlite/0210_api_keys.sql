-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The keys of applications' backends (docs/operations.md, API keys). What a key proves is known only to its holder: the
-- hash of its random part is sealed.
CREATE TABLE api_keys (
    -- The part of the key that is no secret.
    id TEXT PRIMARY KEY NOT NULL,
    -- The key that its rotations began with, itself at first.
    family TEXT NOT NULL,
    name TEXT NOT NULL,
    secret BLOB NOT NULL,
    -- Separated by commas, as the networks. No network: from everywhere.
    scopes TEXT NOT NULL,
    networks TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- By day and network: between two changes of either it is not written.
    last_used_at INTEGER,
    last_used_network TEXT NOT NULL DEFAULT ''
);
CREATE INDEX api_keys_name ON api_keys (name, created_at);
CREATE INDEX api_keys_created_at ON api_keys (created_at, id);
