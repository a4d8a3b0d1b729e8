-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The columns of store/session/columns.rs.
DROP TRIGGER users_changed;
CREATE TRIGGER users_changed
AFTER UPDATE OF email, username, name, external_id, roles, disabled_at, created_at, email_verified_at ON users
WHEN OLD.email IS NOT NEW.email OR OLD.username IS NOT NEW.username OR OLD.name IS NOT NEW.name
    OR OLD.external_id IS NOT NEW.external_id OR OLD.roles IS NOT NEW.roles
    OR OLD.disabled_at IS NOT NEW.disabled_at OR OLD.created_at IS NOT NEW.created_at
    OR OLD.email_verified_at IS NOT NEW.email_verified_at
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.id);
END;
