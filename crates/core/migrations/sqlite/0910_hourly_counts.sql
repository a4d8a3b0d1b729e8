-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- How often what the overview of administrators shows happened in an hour, in all processes together.
CREATE TABLE hourly_counts (
    -- When the hour began.
    hour INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (hour, name)
) STRICT, WITHOUT ROWID;
