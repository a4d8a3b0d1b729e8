-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- When a backup was last made, as far as it was recorded: `doorward backup` of a SQLite file does, and what makes other
-- backups runs `doorward backup --record`. A restored database has the time of the backup before.
ALTER TABLE instance ADD COLUMN backed_up_at INTEGER;
