-- The SQLite twin of this file has the same tables, columns and indexes.

-- The log as a whole is listed by what entries are about. Most are about the account in whose log they stand, which
-- audit_user_id has.
CREATE INDEX audit_subject_id ON audit (subject_id, at, id) WHERE subject_id <> user_id;
CREATE INDEX audit_actor_user_id ON audit (actor_user_id, at, id)
    WHERE actor_user_id IS NOT NULL AND (user_id IS NULL OR actor_user_id <> user_id);
CREATE INDEX audit_organization_id ON audit (organization_id, at, id) WHERE organization_id IS NOT NULL;
