-- The SQLite twin of this file has the same tables, columns and indexes.

-- Public keys of passkeys; there is nothing secret in them.
CREATE TABLE passkeys (
    id UUID PRIMARY KEY NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id BYTEA NOT NULL,
    name TEXT NOT NULL,
    -- Key and flags as JSON, in the form of the library that checks signatures.
    credential BYTEA NOT NULL,
    -- The authenticator's count of signatures: one that does not grow shows a copy.
    counter BIGINT NOT NULL,
    backed_up BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id, id);

-- Challenges that were answered, until they are void anyhow: none is answered twice.
CREATE TABLE passkey_challenges (
    challenge_hash BYTEA PRIMARY KEY NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);
