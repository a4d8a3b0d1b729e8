-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The place in a trace of the request that caused an event (W3C Trace Context): its webhook carries it on.
ALTER TABLE outbox ADD COLUMN traceparent TEXT;
