-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Wrong codes from mails, counted for an address and for a network. A row outlives the mail, the signup and the account
-- that its codes were for, and is not part of the rate limits, which can be switched off.
-- account_tokens.code_failures, the count before it, is written as zero and no longer read.
CREATE TABLE code_failures (
    -- A keyed hash of the address and the purpose of its codes, or of the network.
    id BLOB PRIMARY KEY NOT NULL,
    -- Wrong codes of a day, and of a month.
    recent INTEGER NOT NULL,
    total INTEGER NOT NULL,
    -- When the first of the recent ones was typed, and when the last one.
    recent_since INTEGER NOT NULL,
    last_failed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX code_failures_last_failed_at ON code_failures (last_failed_at);
