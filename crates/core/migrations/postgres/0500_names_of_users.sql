-- The SQLite twin of this file has the same tables, columns and indexes.

-- What a user is called, as people write it; none unless the user or an application said so.
ALTER TABLE users ADD COLUMN name TEXT;
