-- The SQLite twin of this file has the same tables, columns and indexes.

-- Of failures at one name from one network: the row of the name, so that they are found without the network.
ALTER TABLE limits ADD COLUMN name_id UUID;
CREATE INDEX limits_name_id ON limits (name_id) WHERE name_id IS NOT NULL;
