-- The SQLite twin of this file has the same tables, columns and indexes.

-- The version of the list of providers: it grows with each change, and each poll of the change feed reads it.
ALTER TABLE instance ADD COLUMN providers BIGINT NOT NULL DEFAULT 0;

-- The providers that people log in with, which operators keep. At most twenty.
CREATE TABLE providers (
    name TEXT PRIMARY KEY NOT NULL,
    -- The order of the buttons.
    position BIGINT NOT NULL,
    kind TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    -- Of Microsoft.
    tenant TEXT,
    -- Of Apple.
    team_id TEXT,
    key_id TEXT,
    -- Separated by spaces.
    scopes TEXT NOT NULL,
    label TEXT NOT NULL,
    email TEXT NOT NULL,
    mfa TEXT NOT NULL,
    signup BOOLEAN NOT NULL,
    -- Sealed: the client's secret, or Apple's key. Without one it was lost with the secret key.
    secret BYTEA,
    -- The version of the list in which what a login depends on was last changed: kind, issuer, client id, tenant, scopes.
    revision BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX providers_client ON providers (issuer, client_id);
CREATE INDEX providers_position ON providers (position, name);

-- The accounts at providers that log in to a user's account. They outlive the provider's record.
CREATE TABLE identities (
    id UUID PRIMARY KEY NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- The name of the provider by which it was last seen, and the address that this one stated.
    provider TEXT NOT NULL,
    email TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX identities_subject ON identities (issuer, subject);
CREATE INDEX identities_user_id ON identities (user_id, created_at);

-- Logins that were begun at a provider, for ten minutes. What each refers to may end before it.
CREATE TABLE foreign_logins (
    state_hash BYTEA PRIMARY KEY NOT NULL,
    -- The keyed hash of the secret of the browser that began it.
    browser_hash BYTEA NOT NULL,
    -- Sealed: the code verifier and the nonce.
    secrets BYTEA NOT NULL,
    -- The provider as it was then.
    provider TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    revision BIGINT NOT NULL,
    -- To connect an account there with one's own, the session and its user; neither for a login.
    session_id UUID,
    user_id UUID,
    return_to TEXT,
    invitation_id UUID,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    -- When the provider's answer came back, which it may once.
    claimed_at TIMESTAMPTZ,
    -- Sealed: the answer that came by a form, without the browser's cookie.
    answer BYTEA
);
CREATE INDEX foreign_logins_expires_at ON foreign_logins (expires_at);

-- The provider that a session began with: the sessions end when it is removed.
ALTER TABLE sessions ADD COLUMN provider TEXT;
CREATE INDEX sessions_provider ON sessions (provider) WHERE provider IS NOT NULL;
