-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- How the user has authenticated in the session: names, separated by commas. Empty: not known.
ALTER TABLE sessions ADD COLUMN methods TEXT NOT NULL DEFAULT '';

-- The columns of store/session/columns.rs.
DROP TRIGGER users_changed;
CREATE TRIGGER users_changed
AFTER UPDATE OF email, username, roles, disabled_at, created_at, email_verified_at ON users
WHEN OLD.email IS NOT NEW.email OR OLD.username IS NOT NEW.username OR OLD.roles IS NOT NEW.roles
    OR OLD.disabled_at IS NOT NEW.disabled_at OR OLD.created_at IS NOT NEW.created_at
    OR OLD.email_verified_at IS NOT NEW.email_verified_at
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.id);
END;
DROP TRIGGER sessions_changed;
CREATE TRIGGER sessions_changed
AFTER UPDATE OF user_id, organization_id, authenticated_at, expires_at, ended_at, methods ON sessions
WHEN OLD.user_id IS NOT NEW.user_id OR OLD.organization_id IS NOT NEW.organization_id
    OR OLD.authenticated_at IS NOT NEW.authenticated_at OR OLD.expires_at IS NOT NEW.expires_at
    OR OLD.ended_at IS NOT NEW.ended_at OR OLD.methods IS NOT NEW.methods
BEGIN
    INSERT INTO session_changes (session_id) VALUES (OLD.id);
END;
CREATE TRIGGER memberships_changed AFTER UPDATE OF role ON memberships WHEN OLD.role IS NOT NEW.role
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER memberships_removed AFTER DELETE ON memberships
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER totp_changed AFTER UPDATE OF confirmed_at ON totp WHEN OLD.confirmed_at IS NOT NEW.confirmed_at
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER totp_removed AFTER DELETE ON totp WHEN OLD.confirmed_at IS NOT NULL
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER passkeys_added AFTER INSERT ON passkeys
BEGIN
    INSERT INTO session_changes (user_id) VALUES (NEW.user_id);
END;
CREATE TRIGGER passkeys_removed AFTER DELETE ON passkeys
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
