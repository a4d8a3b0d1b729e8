-- The SQLite twin of this file has the same tables, columns and indexes.

CREATE TABLE instance (
    id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1),
    key_check BYTEA NOT NULL,
    -- Whether the service was last started with webhooks; commands without them would lose events.
    webhooks BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE signing_keys (
    kid TEXT PRIMARY KEY NOT NULL,
    public_key BYTEA NOT NULL,
    private_key BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    active_from TIMESTAMPTZ NOT NULL
);

CREATE TABLE users (
    id UUID PRIMARY KEY NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL,
    password_hash TEXT,
    roles TEXT NOT NULL,
    email_verified_at TIMESTAMPTZ,
    disabled_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE UNIQUE INDEX users_username_key ON users (username_key);

CREATE TABLE organizations (
    id UUID PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    created_by_user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX organizations_created_by_user_id ON organizations (created_by_user_id);

CREATE TABLE memberships (
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user_id ON memberships (user_id, created_at, organization_id);

-- One row a session. Its refresh tokens are derived from key, id, generation and nonce, and are stored nowhere.
CREATE TABLE sessions (
    id UUID PRIMARY KEY NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    nonce BYTEA NOT NULL,
    generation BIGINT NOT NULL,
    issued_at TIMESTAMPTZ NOT NULL,
    used BOOLEAN NOT NULL,
    parent_generation BIGINT,
    parent_issued_at TIMESTAMPTZ,
    replaced_at TIMESTAMPTZ,
    version BIGINT NOT NULL,
    user_agent TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    end_reason TEXT
);
CREATE INDEX sessions_user_id ON sessions (user_id, created_at);
CREATE INDEX sessions_organization_id ON sessions (organization_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Deliveries of one channel (webhook) wait here from the transaction that causes them until they are cleaned up.
CREATE TABLE outbox (
    id UUID PRIMARY KEY NOT NULL,
    channel TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload BYTEA NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    -- The fencing token: raised by every claim, so that a worker that lost its claim can change nothing.
    lease BIGINT NOT NULL,
    -- Whether the claimed delivery was begun; one that was not goes back without using up an attempt.
    started BOOLEAN NOT NULL,
    -- Whether the last attempt was begun and never settled; such a delivery is repeated apart from all others.
    interrupted BOOLEAN NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    leased_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ
);
CREATE INDEX outbox_pending ON outbox (channel, due_at, id) WHERE state = 'pending';
CREATE INDEX outbox_processing ON outbox (channel, leased_at) WHERE state = 'processing';
CREATE INDEX outbox_delivered ON outbox (channel, finished_at) WHERE state = 'delivered';
CREATE INDEX outbox_failed ON outbox (channel, finished_at) WHERE state = 'failed';

-- What came of each attempt, for the operator; removed with its delivery.
CREATE TABLE outbox_attempts (
    delivery_id UUID NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    lease BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    duration_us BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    status BIGINT,
    response BYTEA NOT NULL,
    PRIMARY KEY (delivery_id, lease)
);
