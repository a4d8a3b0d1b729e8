-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The random values by which `doorward doctor` recognizes that this service answered it, as hashes. Each is valid for a
-- minute.
CREATE TABLE doctor_nonces (
    hash BLOB PRIMARY KEY NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX doctor_nonces_expires_at ON doctor_nonces (expires_at);
