-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The name as it is compared, by whose beginning administrators find it, and the name that it was made of. A version that
-- does not know them leaves them out, and leaves those of a changed name: newer ones fill them in.
ALTER TABLE organizations ADD COLUMN name_key TEXT;
ALTER TABLE organizations ADD COLUMN keyed_name TEXT;
CREATE INDEX organizations_name_key ON organizations (name_key, id);
CREATE INDEX organizations_unkeyed ON organizations (id) WHERE keyed_name IS DISTINCT FROM name;
