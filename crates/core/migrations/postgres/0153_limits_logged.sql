-- A table that is not logged is empty after a failover, and after every planned switchover to a replica too: then each
-- name could be guessed at again. SQLite has only logged tables; its twin of this file does nothing.
ALTER TABLE limits SET LOGGED;
