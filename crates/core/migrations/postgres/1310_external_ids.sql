-- The SQLite twin of this file has the same tables, columns and indexes. It is a step of its own, as a trigger and an index want
-- other locks on users: with both, requests that change a user could wait in a circle.

-- Backends look people up by their own ids.
CREATE INDEX users_external_id ON users (external_id) WHERE external_id IS NOT NULL;
