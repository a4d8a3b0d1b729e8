-- The SQLite twin of this file has the same tables, columns and indexes.

-- Which sessions and users are no longer as a process may have them in memory. The database itself notes it, whoever
-- writes: another process, the command line, an older version, an operator's own SQL. Each process reads on from where
-- it was; what every process has read is removed.
CREATE TABLE session_changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY NOT NULL,
    -- Ids are drawn before the commit, so they tell nothing about its order; which transactions a reader has seen
    -- tells its snapshot.
    xid BIGINT NOT NULL,
    session_id UUID,
    user_id UUID
);
CREATE INDEX session_changes_xid ON session_changes (xid);

CREATE FUNCTION note_user_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO session_changes (xid, user_id) VALUES (txid_current(), OLD.id);
    RETURN NULL;
END $$;
CREATE FUNCTION note_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO session_changes (xid, session_id) VALUES (txid_current(), OLD.id);
    RETURN NULL;
END $$;

-- The columns that store/session_read.rs reads.
CREATE TRIGGER users_changed AFTER UPDATE OF email, username, roles, disabled_at, created_at ON users FOR EACH ROW
WHEN ((OLD.email, OLD.username, OLD.roles, OLD.disabled_at, OLD.created_at)
    IS DISTINCT FROM (NEW.email, NEW.username, NEW.roles, NEW.disabled_at, NEW.created_at))
EXECUTE FUNCTION note_user_change();
CREATE TRIGGER users_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION note_user_change();
CREATE TRIGGER sessions_changed AFTER UPDATE OF user_id, authenticated_at, expires_at, ended_at ON sessions FOR EACH ROW
WHEN ((OLD.user_id, OLD.authenticated_at, OLD.expires_at, OLD.ended_at)
    IS DISTINCT FROM (NEW.user_id, NEW.authenticated_at, NEW.expires_at, NEW.ended_at))
EXECUTE FUNCTION note_session_change();
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions FOR EACH ROW WHEN (OLD.ended_at IS NULL)
EXECUTE FUNCTION note_session_change();
