-- The SQLite twin of this file has the same tables, columns and indexes.

-- How, where and when a login began whose second factor is still to come; NULL: with the password.
ALTER TABLE half_log_ins ADD COLUMN methods TEXT;
ALTER TABLE half_log_ins ADD COLUMN provider TEXT;
ALTER TABLE half_log_ins ADD COLUMN authenticated_at TIMESTAMPTZ;

-- The account at a provider with which a signup began: it is connected with the account that the signup makes.
CREATE TABLE pending_identities (
    token_id UUID PRIMARY KEY NOT NULL REFERENCES account_tokens (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    provider TEXT NOT NULL,
    -- What the person is called there, if that may be a display name.
    name TEXT,
    -- Whether a second factor was shown there, and when the person authenticated, if that is known.
    second_factor BOOLEAN NOT NULL,
    authenticated_at TIMESTAMPTZ
);

-- A provider that is removed takes with it what waits for it.
CREATE INDEX half_log_ins_provider ON half_log_ins (provider) WHERE provider IS NOT NULL;
CREATE INDEX pending_identities_provider ON pending_identities (provider);
CREATE INDEX foreign_logins_provider ON foreign_logins (provider);
