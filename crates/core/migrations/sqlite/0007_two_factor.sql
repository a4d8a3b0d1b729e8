-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The secret that an account shares with an authenticator app, sealed. Not asked for before it is confirmed.
CREATE TABLE totp (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    confirmed_at INTEGER,
    -- The time step of the last code that was accepted: only codes of later ones are.
    last_step INTEGER NOT NULL,
    -- Wrong codes since the last right one, and when the last of them came.
    failures INTEGER NOT NULL,
    failed_at INTEGER
) STRICT, WITHOUT ROWID;

-- The hash of each code is sealed, so that it can move to another secret key; the code itself is nowhere.
CREATE TABLE recovery_codes (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    code_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

-- Log-ins of which the password was right and the second factor is still to come.
CREATE TABLE half_log_ins (
    token_hash BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The fingerprint of the password's hash: another password makes the row worthless.
    credential BLOB NOT NULL,
    tries INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX half_log_ins_user_id ON half_log_ins (user_id);
CREATE INDEX half_log_ins_expires_at ON half_log_ins (expires_at);

-- Browsers that are not asked for the second factor, while the password stays the same.
CREATE TABLE remembered_devices (
    token_hash BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_devices_user_id ON remembered_devices (user_id);
CREATE INDEX remembered_devices_expires_at ON remembered_devices (expires_at);
