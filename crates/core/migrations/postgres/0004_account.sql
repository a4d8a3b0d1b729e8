-- The SQLite twin of this file has the same tables, columns and indexes.

-- When the session's user last proved who they are; none: at the log-in, by a version that did not write it.
ALTER TABLE sessions ADD COLUMN authenticated_at TIMESTAMPTZ;

-- What happened to accounts, and who did it from where. A row outlives the account that it is about: an intruder who
-- deletes an account must not delete the traces. Failed tries that belong together are one row with their number.
CREATE TABLE audit (
    id UUID PRIMARY KEY NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    -- Whose account; none for a try at an account that does not exist.
    user_id UUID,
    kind TEXT NOT NULL,
    -- user, operator or unknown.
    actor TEXT NOT NULL,
    actor_user_id UUID,
    session_id UUID,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    detail TEXT NOT NULL,
    times BIGINT NOT NULL
);
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_user_id ON audit (user_id, at, id);
