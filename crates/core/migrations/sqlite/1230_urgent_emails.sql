-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Emails that go before all others. The version before sends them by their age.
CREATE INDEX outbox_urgent ON outbox (channel, due_at, id)
    WHERE state = 'pending' AND kind IN ('password-reset', 'confirmation-code');
