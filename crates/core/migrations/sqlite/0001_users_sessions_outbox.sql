-- Times are microseconds since the Unix epoch; UUIDs are 16 bytes. The PostgreSQL twin of this file has the same
-- tables, columns and indexes.

CREATE TABLE instance (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    key_check BLOB NOT NULL,
    -- Whether the service was last started with webhooks; commands without them would lose events.
    webhooks INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE signing_keys (
    kid TEXT PRIMARY KEY NOT NULL,
    public_key BLOB NOT NULL,
    private_key BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    active_from INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    id BLOB PRIMARY KEY NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL,
    password_hash TEXT,
    roles TEXT NOT NULL,
    email_verified_at INTEGER,
    disabled_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE UNIQUE INDEX users_username_key ON users (username_key);

CREATE TABLE organizations (
    id BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    created_by_user_id BLOB REFERENCES users (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX organizations_created_by_user_id ON organizations (created_by_user_id);

CREATE TABLE memberships (
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_user_id ON memberships (user_id, created_at, organization_id);

-- One row a session. Its refresh tokens are derived from key, id, generation and nonce, and are stored nowhere.
CREATE TABLE sessions (
    id BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organization_id BLOB NOT NULL REFERENCES organizations (id),
    nonce BLOB NOT NULL,
    generation INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    used INTEGER NOT NULL,
    parent_generation INTEGER,
    parent_issued_at INTEGER,
    replaced_at INTEGER,
    version INTEGER NOT NULL,
    user_agent TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user_id ON sessions (user_id, created_at);
CREATE INDEX sessions_organization_id ON sessions (organization_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Deliveries of one channel (webhook) wait here from the transaction that causes them until they are cleaned up.
CREATE TABLE outbox (
    id BLOB PRIMARY KEY NOT NULL,
    channel TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload BLOB NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    -- The fencing token: raised by every claim, so that a worker that lost its claim can change nothing.
    lease INTEGER NOT NULL,
    -- Whether the claimed delivery was begun; one that was not goes back without using up an attempt.
    started INTEGER NOT NULL,
    -- Whether the last attempt was begun and never settled; such a delivery is repeated apart from all others.
    interrupted INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    leased_at INTEGER,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_pending ON outbox (channel, due_at, id) WHERE state = 'pending';
CREATE INDEX outbox_processing ON outbox (channel, leased_at) WHERE state = 'processing';
CREATE INDEX outbox_delivered ON outbox (channel, finished_at) WHERE state = 'delivered';
CREATE INDEX outbox_failed ON outbox (channel, finished_at) WHERE state = 'failed';

-- What came of each attempt, for the operator; removed with its delivery.
CREATE TABLE outbox_attempts (
    delivery_id BLOB NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    lease INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    duration_us INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    response BLOB NOT NULL,
    PRIMARY KEY (delivery_id, lease)
) STRICT, WITHOUT ROWID;
