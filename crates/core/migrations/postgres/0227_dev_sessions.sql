-- The SQLite twin of this file has the same tables, columns and indexes.

-- The public address of the service that started last: sessions for developers are for this machine only.
ALTER TABLE instance ADD COLUMN base_url TEXT;

-- Accounts that `doorward dev session` made, and of which alone it opens sessions.
CREATE TABLE dev_accounts (
    user_id UUID PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
