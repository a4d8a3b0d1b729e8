-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Links for forgotten passwords that were asked for, for addresses with and without an account alike, until a task has
-- mailed them or found nobody: as soon as the answer is given, and again at the next start if the process ended then.
CREATE TABLE reset_requests (
    id BLOB PRIMARY KEY NOT NULL,
    email TEXT NOT NULL,
    -- The language of the mail.
    locale TEXT NOT NULL,
    -- Where the flow is to end.
    return_to TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
