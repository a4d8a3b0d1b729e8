-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Public keys of passkeys; there is nothing secret in them.
CREATE TABLE passkeys (
    id BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id BLOB NOT NULL,
    name TEXT NOT NULL,
    -- Key and flags as JSON, in the form of the library that checks signatures.
    credential BLOB NOT NULL,
    -- The authenticator's count of signatures: one that does not grow shows a copy.
    counter INTEGER NOT NULL,
    backed_up INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id, id);

-- Challenges that were answered, until they are void anyhow: none is answered twice.
CREATE TABLE passkey_challenges (
    challenge_hash BLOB PRIMARY KEY NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);
