-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The processes that run, each with a fingerprint of its settings and its last sign of life: all must be set alike. The
-- previous version knows one of them only, which has its settings in the table instance.
CREATE TABLE processes (
    id BLOB PRIMARY KEY NOT NULL,
    -- JSON: the value of each setting by its name, or its keyed hash.
    settings TEXT NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX processes_seen_at ON processes (seen_at);
