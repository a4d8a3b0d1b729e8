-- The SQLite twin of this file has the same tables, columns and indexes.

-- When an account that `doorward dev session` made got a password, a factor, a passkey or a role: from then on the command
-- opens no session of it. The row stays, as the address counts as verified without anybody having verified it.
ALTER TABLE dev_accounts ADD COLUMN taken_at TIMESTAMPTZ;
