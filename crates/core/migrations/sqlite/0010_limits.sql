-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- How often who has asked lately: one row a bucket, found by a keyed hash. Nothing here outlives its use, and nothing is
-- lost with it but a count.
CREATE TABLE limits (
    id BLOB PRIMARY KEY NOT NULL,
    -- When the bucket is full again, when the next try is permitted, or until when a place is familiar.
    at INTEGER NOT NULL,
    -- Failures without a success between them.
    failures INTEGER NOT NULL,
    -- From then on the row says no more than no row.
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX limits_expires_at ON limits (expires_at);

-- Whoever asks for all that is stored about them is given the invitations to their address too.
CREATE INDEX invitations_email_key ON invitations (email_key);
