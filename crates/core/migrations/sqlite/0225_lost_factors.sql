-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Accounts whose authenticator app was lost with the secret key: each login needs the password and a mailed link or code,
-- until there is another app.
CREATE TABLE lost_factors (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    lost_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
