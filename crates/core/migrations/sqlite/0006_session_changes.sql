-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Which sessions and users are no longer as a process may have them in memory. The database itself notes it, whoever
-- writes: another process, the command line, an older version, an operator's own SQL. Each process reads on from where
-- it was; what every process has read is removed.
CREATE TABLE session_changes (
    -- Never used twice, so that a reader's place stays right when rows are removed.
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    -- The transaction's id; here ids are in the order of the commits, and it is not needed.
    xid INTEGER NOT NULL DEFAULT 0,
    session_id BLOB,
    user_id BLOB
) STRICT;
CREATE INDEX session_changes_xid ON session_changes (xid);

-- The columns that store/session_read.rs reads.
CREATE TRIGGER users_changed AFTER UPDATE OF email, username, roles, disabled_at, created_at ON users
WHEN OLD.email IS NOT NEW.email OR OLD.username IS NOT NEW.username OR OLD.roles IS NOT NEW.roles
    OR OLD.disabled_at IS NOT NEW.disabled_at OR OLD.created_at IS NOT NEW.created_at
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.id);
END;
CREATE TRIGGER users_removed AFTER DELETE ON users
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.id);
END;
CREATE TRIGGER sessions_changed AFTER UPDATE OF user_id, authenticated_at, expires_at, ended_at ON sessions
WHEN OLD.user_id IS NOT NEW.user_id OR OLD.authenticated_at IS NOT NEW.authenticated_at
    OR OLD.expires_at IS NOT NEW.expires_at OR OLD.ended_at IS NOT NEW.ended_at
BEGIN
    INSERT INTO session_changes (session_id) VALUES (OLD.id);
END;
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions WHEN OLD.ended_at IS NULL
BEGIN
    INSERT INTO session_changes (session_id) VALUES (OLD.id);
END;
