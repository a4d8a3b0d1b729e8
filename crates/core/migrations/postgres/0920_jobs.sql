-- The SQLite twin of this file has the same tables, columns and indexes.

-- Long work that an administrator began, and that any process does step by step under a lease.
CREATE TABLE jobs (
    id UUID PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    -- running, done or failed.
    state TEXT NOT NULL,
    -- A JSON object with members by kind.
    params TEXT NOT NULL,
    -- How many things are done, and of how many, once they are counted.
    done BIGINT NOT NULL,
    total BIGINT,
    -- After what the next step begins; none before the first one.
    cursor TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    -- The administrator; none for an operator.
    created_by_user_id UUID,
    -- Grows with each process that takes the job, and until when that one has it.
    lease BIGINT NOT NULL,
    lease_until TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    -- Why it failed.
    error TEXT
);
CREATE UNIQUE INDEX jobs_running ON jobs (kind, params) WHERE finished_at IS NULL;
CREATE INDEX jobs_due ON jobs (lease_until) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
