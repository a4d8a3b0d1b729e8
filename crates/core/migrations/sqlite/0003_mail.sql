-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- What the operator may see of a mail. The mail itself is the sealed payload of its row in the outbox (channel mail),
-- which is emptied when the mail is delivered, given up, or past its time.
CREATE TABLE mails (
    id BLOB PRIMARY KEY NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    recipient TEXT NOT NULL,
    recipient_key TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- The same at every attempt, as mail servers log it.
    message_id TEXT NOT NULL,
    -- What the mail is about, such as an invitation or an account: a newer one of its kind takes its place.
    about_id BLOB,
    expires_at INTEGER NOT NULL,
    erased_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX mails_recipient_key ON mails (recipient_key, id);
CREATE INDEX mails_about_id ON mails (about_id) WHERE erased_at IS NULL;
CREATE INDEX mails_expires_at ON mails (expires_at) WHERE erased_at IS NULL;

-- The token of the mailed link, which proves the address; that of the link shown to the inviter does not.
ALTER TABLE invitations ADD COLUMN mailed_token_hash BLOB;
CREATE UNIQUE INDEX invitations_mailed_token_hash ON invitations (mailed_token_hash);
