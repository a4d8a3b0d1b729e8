-- The SQLite twin of this file has the same tables, columns and indexes.

-- The random values by which `doorward doctor` recognizes that this service answered it, as hashes. Each is valid for a
-- minute.
CREATE TABLE doctor_nonces (
    hash BYTEA PRIMARY KEY NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX doctor_nonces_expires_at ON doctor_nonces (expires_at);
