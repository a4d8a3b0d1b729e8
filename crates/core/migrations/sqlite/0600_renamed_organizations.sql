-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Sessions show the name of their organization: one row for a rename, however many members see it. A version that does
-- not know the column reads a row of neither session nor user.
ALTER TABLE session_changes ADD COLUMN organization_id BLOB;

-- The columns of store/session/columns.rs.
CREATE TRIGGER organizations_changed AFTER UPDATE OF name, kind ON organizations
WHEN OLD.name IS NOT NEW.name OR OLD.kind IS NOT NEW.kind
BEGIN
    INSERT INTO session_changes (organization_id) VALUES (OLD.id);
END;
