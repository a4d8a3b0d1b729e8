-- The SQLite twin of this file has the same tables, columns and indexes.

-- The token itself is nowhere: only its keyed hash. States: pending, accepted, revoked, declined, and expired for one that
-- made room for another to the same address; a pending one past its time is as good as expired.
CREATE TABLE invitations (
    id UUID PRIMARY KEY NOT NULL,
    organization_id UUID NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    role TEXT NOT NULL,
    -- The application's own JSON object, as text.
    metadata TEXT NOT NULL,
    token_hash BYTEA NOT NULL,
    -- Whether whoever holds the link has shown that the address is theirs: not where the inviter saw the link.
    proves_address BOOLEAN NOT NULL,
    invited_by_user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    state TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    finished_by_user_id UUID REFERENCES users (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX invitations_token_hash ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_pending ON invitations (organization_id, email_key) WHERE state = 'pending';
CREATE INDEX invitations_organization_id ON invitations (organization_id, id);
CREATE INDEX invitations_invited_by_user_id ON invitations (invited_by_user_id);
CREATE INDEX invitations_finished_by_user_id ON invitations (finished_by_user_id);

-- Whether another owner stays is asked before each end of an owner's membership.
CREATE INDEX memberships_owners ON memberships (organization_id, user_id) WHERE role = 'owner';
