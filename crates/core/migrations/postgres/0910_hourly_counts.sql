-- The SQLite twin of this file has the same tables, columns and indexes.

-- How often what the overview of administrators shows happened in an hour, in all processes together.
CREATE TABLE hourly_counts (
    -- When the hour began.
    hour TIMESTAMPTZ NOT NULL,
    name TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (hour, name)
);
