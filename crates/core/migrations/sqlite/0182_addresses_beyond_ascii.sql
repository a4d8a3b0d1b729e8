-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- Addresses with letters beyond ASCII: a start converts the domains of those that older versions stored. Hardly any row is
-- in these indexes.
CREATE INDEX users_beyond_ascii ON users (id) WHERE email_key GLOB '*[^ -~]*';
CREATE INDEX account_tokens_beyond_ascii ON account_tokens (id) WHERE email_key GLOB '*[^ -~]*';
CREATE INDEX invitations_beyond_ascii ON invitations (id) WHERE email_key GLOB '*[^ -~]*';
