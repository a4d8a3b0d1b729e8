-- The SQLite twin of this file has the same tables, columns and indexes.

-- How the user has authenticated in the session: names, separated by commas. Empty: not known.
ALTER TABLE sessions ADD COLUMN methods TEXT NOT NULL DEFAULT '';

CREATE FUNCTION note_owner_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO session_changes (xid, user_id) VALUES (txid_current(), COALESCE(OLD.user_id, NEW.user_id));
    RETURN NULL;
END $$;

-- The columns of store/session/columns.rs.
DROP TRIGGER users_changed ON users;
CREATE TRIGGER users_changed
AFTER UPDATE OF email, username, roles, disabled_at, created_at, email_verified_at ON users FOR EACH ROW
WHEN ((OLD.email, OLD.username, OLD.roles, OLD.disabled_at, OLD.created_at, OLD.email_verified_at)
    IS DISTINCT FROM (NEW.email, NEW.username, NEW.roles, NEW.disabled_at, NEW.created_at, NEW.email_verified_at))
EXECUTE FUNCTION note_user_change();
DROP TRIGGER sessions_changed ON sessions;
CREATE TRIGGER sessions_changed
AFTER UPDATE OF user_id, organization_id, authenticated_at, expires_at, ended_at, methods ON sessions FOR EACH ROW
WHEN ((OLD.user_id, OLD.organization_id, OLD.authenticated_at, OLD.expires_at, OLD.ended_at, OLD.methods)
    IS DISTINCT FROM (NEW.user_id, NEW.organization_id, NEW.authenticated_at, NEW.expires_at, NEW.ended_at, NEW.methods))
EXECUTE FUNCTION note_session_change();
CREATE TRIGGER memberships_changed AFTER UPDATE OF role ON memberships FOR EACH ROW
WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER memberships_removed AFTER DELETE ON memberships FOR EACH ROW EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER totp_changed AFTER UPDATE OF confirmed_at ON totp FOR EACH ROW
WHEN (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at) EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER totp_removed AFTER DELETE ON totp FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL)
EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER passkeys_added AFTER INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER passkeys_removed AFTER DELETE ON passkeys FOR EACH ROW EXECUTE FUNCTION note_owner_change();
