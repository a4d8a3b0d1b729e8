-- The SQLite twin of this file has the same tables, columns and indexes.

-- The columns of store/session/columns.rs.
DROP TRIGGER users_changed ON users;
CREATE TRIGGER users_changed
AFTER UPDATE OF email, username, name, external_id, roles, disabled_at, created_at, email_verified_at ON users FOR EACH ROW
WHEN ((OLD.email, OLD.username, OLD.name, OLD.external_id, OLD.roles,
    OLD.disabled_at, OLD.created_at, OLD.email_verified_at)
    IS DISTINCT FROM (NEW.email, NEW.username, NEW.name, NEW.external_id, NEW.roles,
    NEW.disabled_at, NEW.created_at, NEW.email_verified_at))
EXECUTE FUNCTION note_user_change();
