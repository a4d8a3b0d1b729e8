-- The SQLite twin of this file has the same indexes.

-- What a member invited goes with the role that it took.
CREATE INDEX invitations_pending_by ON invitations (organization_id, invited_by_user_id) WHERE state = 'pending';
-- What was answered, taken back or has expired is removed after a while.
CREATE INDEX invitations_finished ON invitations (finished_at) WHERE state <> 'pending';
CREATE INDEX invitations_expired ON invitations (expires_at) WHERE state = 'pending';
