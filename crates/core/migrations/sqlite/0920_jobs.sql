-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Long work that an administrator began, and that any process does step by step under a lease.
CREATE TABLE jobs (
    id BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    -- running, done or failed.
    state TEXT NOT NULL,
    -- A JSON object with members by kind.
    params TEXT NOT NULL,
    -- How many things are done, and of how many, once they are counted.
    done INTEGER NOT NULL,
    total INTEGER,
    -- After what the next step begins; none before the first one.
    cursor TEXT,
    created_at INTEGER NOT NULL,
    -- The administrator; none for an operator.
    created_by_user_id BLOB,
    -- Grows with each process that takes the job, and until when that one has it.
    lease INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    finished_at INTEGER,
    -- Why it failed.
    error TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_running ON jobs (kind, params) WHERE finished_at IS NULL;
CREATE INDEX jobs_due ON jobs (lease_until) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
