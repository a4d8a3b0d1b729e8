-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Of what the event tells, such as user:ID: events of one subject are sent one after the other. Rows of the previous
-- version have none, and no order.
ALTER TABLE outbox ADD COLUMN subject TEXT;
-- 1 if another one of its subject goes first; it is not claimed until that one lets it. The previous version knows
-- nothing of it.
ALTER TABLE outbox ADD COLUMN waits INTEGER;
CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE state = 'pending' AND waits IS NULL;
CREATE INDEX outbox_waiting ON outbox (subject, id) WHERE state = 'pending' AND waits IS NOT NULL;
CREATE INDEX outbox_sending ON outbox (subject) WHERE state = 'processing' AND subject IS NOT NULL;

-- When the last event of a subject was recorded: the next one is later, whatever the clocks say. Who records one locks
-- the row.
CREATE TABLE outbox_subjects (
    subject TEXT PRIMARY KEY NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_subjects_last_at ON outbox_subjects (last_at);
