-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- What waits for somebody to follow a mailed link or to type a mailed code. Token and code themselves are nowhere: only
-- their keyed hashes. Kinds: sign_up (an account that begins with the proof), verification, email_change, password_reset,
-- and email_undo, the way back from a change.
CREATE TABLE account_tokens (
    id BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    -- Of a sign-up there is no account yet.
    user_id BLOB REFERENCES users (id) ON DELETE CASCADE,
    -- The address that is proved; of an email_undo the one that comes back.
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    code_hash BLOB,
    -- Wrong codes since the last mail, and in all.
    wrong_codes INTEGER NOT NULL,
    code_failures INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- Where the flow is to end.
    return_to TEXT,
    -- What a sign-up asks for.
    username TEXT,
    password_hash TEXT,
    invitation_id BLOB REFERENCES invitations (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX account_tokens_token_hash ON account_tokens (token_hash);
CREATE INDEX account_tokens_user_id ON account_tokens (user_id, kind);
CREATE INDEX account_tokens_email_key ON account_tokens (email_key, kind);
CREATE INDEX account_tokens_expires_at ON account_tokens (expires_at);
CREATE INDEX account_tokens_invitation_id ON account_tokens (invitation_id);
