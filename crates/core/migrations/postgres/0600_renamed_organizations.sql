-- The SQLite twin of this file has the same tables, columns and indexes.

-- Sessions show the name of their organization: one row for a rename, however many members see it. A version that does
-- not know the column reads a row of neither session nor user.
ALTER TABLE session_changes ADD COLUMN organization_id UUID;

CREATE FUNCTION note_organization_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO session_changes (xid, organization_id) VALUES (txid_current(), OLD.id);
    RETURN NULL;
END $$;

-- The columns of store/session/columns.rs.
CREATE TRIGGER organizations_changed AFTER UPDATE OF name, kind ON organizations FOR EACH ROW
WHEN ((OLD.name, OLD.kind) IS DISTINCT FROM (NEW.name, NEW.kind)) EXECUTE FUNCTION note_organization_change();
