-- The SQLite twin of this file has the same tables, columns and indexes.

-- The language of the mails to an account, and of a signup that is pending: a language tag (RFC 5646). None: not known,
-- the default.
ALTER TABLE users ADD COLUMN language TEXT;
ALTER TABLE account_tokens ADD COLUMN language TEXT;
