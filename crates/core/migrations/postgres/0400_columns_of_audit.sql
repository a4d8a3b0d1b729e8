-- The SQLite twin of this file has the same tables, columns and indexes.

-- What an entry is about, apart from whose log it stands in, and what the kind alone does not say, as a JSON object with
-- members by kind. None of them in entries of versions before 0.4.0.
ALTER TABLE audit ADD COLUMN organization_id UUID;
ALTER TABLE audit ADD COLUMN subject_id UUID;
ALTER TABLE audit ADD COLUMN fields TEXT;
