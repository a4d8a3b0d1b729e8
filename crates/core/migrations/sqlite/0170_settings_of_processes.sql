-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- What the processes of a service must have in common: the settings of the process that came first, as JSON with keyed
-- hashes of what is secret, renewed while it runs. Each other compares its own.
ALTER TABLE instance ADD COLUMN settings TEXT;
ALTER TABLE instance ADD COLUMN settings_at INTEGER;
-- The last sign of life of a process with webhooks, and the kinds of event that it sends.
ALTER TABLE instance ADD COLUMN webhooks_at INTEGER;
ALTER TABLE instance ADD COLUMN webhook_events TEXT;
