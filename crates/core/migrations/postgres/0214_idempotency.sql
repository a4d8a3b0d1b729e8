-- The SQLite twin of this file has the same tables, columns and indexes.

-- Requests of applications' backends that say by an Idempotency-Key that they may be repeated (docs/protocol.md 18.6),
-- for 24 hours.
CREATE TABLE idempotency_keys (
    -- A hash of API key, method, path and Idempotency-Key.
    id BYTEA PRIMARY KEY NOT NULL,
    -- Which of the requests works on it. One that has lost the claim cannot commit.
    claim UUID NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    -- The hash of the body and the answer, sealed; NULL while the request runs.
    answer BYTEA
);
CREATE INDEX idempotency_keys_started_at ON idempotency_keys (started_at);
