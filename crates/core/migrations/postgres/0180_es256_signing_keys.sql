-- The SQLite twin of this file has the same tables, columns and indexes.

-- Keys for ES256, like those for EdDSA in signing_keys. A table of their own, because the previous version takes every
-- row of signing_keys for an Ed25519 key, and would not start with any other.
CREATE TABLE es256_signing_keys (
    kid TEXT PRIMARY KEY NOT NULL,
    public_key BYTEA NOT NULL,
    private_key BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    active_from TIMESTAMPTZ NOT NULL
);
