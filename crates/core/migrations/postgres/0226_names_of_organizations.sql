-- The SQLite twin of this file has the same tables, columns and indexes.

-- Operators name an organization by its name. Several may have one.
CREATE INDEX organizations_name ON organizations (name, id);
