CREATE TABLE instance (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    key_check BLOB NOT NULL,
    -- Whether the service was last started with webhooks; commands without them would lose events.
    webhooks INTEGER NOT NULL,
    created_at INTEGER NOT NULL
, settings TEXT, settings_at INTEGER, webhooks_at INTEGER, webhook_events TEXT, base_url TEXT, providers INTEGER NOT NULL DEFAULT 0, backed_up_at INTEGER) STRICT;
CREATE TABLE signing_keys (
    kid TEXT PRIMARY KEY NOT NULL,
    public_key BLOB NOT NULL,
    private_key BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    active_from INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
    id BLOB PRIMARY KEY NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL,
    password_hash TEXT,
    roles TEXT NOT NULL,
    email_verified_at INTEGER,
    disabled_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
, language TEXT, external_id TEXT, metadata TEXT NOT NULL DEFAULT '{}', name TEXT) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE UNIQUE INDEX users_username_key ON users (username_key);
CREATE TABLE organizations (
    id BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    created_by_user_id BLOB REFERENCES users (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
, name_key TEXT, keyed_name TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX organizations_created_by_user_id ON organizations (created_by_user_id);
CREATE TABLE memberships (
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_user_id ON memberships (user_id, created_at, organization_id);
CREATE TABLE sessions (
    id BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organization_id BLOB NOT NULL REFERENCES organizations (id),
    nonce BLOB NOT NULL,
    generation INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    used INTEGER NOT NULL,
    parent_generation INTEGER,
    parent_issued_at INTEGER,
    replaced_at INTEGER,
    version INTEGER NOT NULL,
    user_agent TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT
, authenticated_at INTEGER, methods TEXT NOT NULL DEFAULT '', provider TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user_id ON sessions (user_id, created_at);
CREATE INDEX sessions_organization_id ON sessions (organization_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE TABLE outbox (
    id BLOB PRIMARY KEY NOT NULL,
    channel TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload BLOB NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    -- The fencing token: raised by every claim, so that a worker that lost its claim can change nothing.
    lease INTEGER NOT NULL,
    -- Whether the claimed delivery was begun; one that was not goes back without using up an attempt.
    started INTEGER NOT NULL,
    -- Whether the last attempt was begun and never settled; such a delivery is repeated apart from all others.
    interrupted INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    leased_at INTEGER,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
, traceparent TEXT, subject TEXT, waits INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_pending ON outbox (channel, due_at, id) WHERE state = 'pending';
CREATE INDEX outbox_processing ON outbox (channel, leased_at) WHERE state = 'processing';
CREATE INDEX outbox_delivered ON outbox (channel, finished_at) WHERE state = 'delivered';
CREATE INDEX outbox_failed ON outbox (channel, finished_at) WHERE state = 'failed';
CREATE TABLE outbox_attempts (
    delivery_id BLOB NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    lease INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    duration_us INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    response BLOB NOT NULL,
    PRIMARY KEY (delivery_id, lease)
) STRICT, WITHOUT ROWID;
CREATE TABLE invitations (
    id BLOB PRIMARY KEY NOT NULL,
    organization_id BLOB NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    role TEXT NOT NULL,
    -- The application's own JSON object, as text.
    metadata TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    -- Whether whoever holds the link has shown that the address is theirs: not where the inviter saw the link.
    proves_address INTEGER NOT NULL,
    invited_by_user_id BLOB REFERENCES users (id) ON DELETE SET NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    finished_at INTEGER,
    finished_by_user_id BLOB REFERENCES users (id) ON DELETE SET NULL
, mailed_token_hash BLOB) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invitations_token_hash ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_pending ON invitations (organization_id, email_key) WHERE state = 'pending';
CREATE INDEX invitations_organization_id ON invitations (organization_id, id);
CREATE INDEX invitations_invited_by_user_id ON invitations (invited_by_user_id);
CREATE INDEX invitations_finished_by_user_id ON invitations (finished_by_user_id);
CREATE INDEX memberships_owners ON memberships (organization_id, user_id) WHERE role = 'owner';
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
CREATE UNIQUE INDEX invitations_mailed_token_hash ON invitations (mailed_token_hash);
CREATE TABLE audit (
    id BLOB PRIMARY KEY NOT NULL,
    at INTEGER NOT NULL,
    -- Whose account; none for a try at an account that does not exist.
    user_id BLOB,
    kind TEXT NOT NULL,
    -- user, operator or unknown.
    actor TEXT NOT NULL,
    actor_user_id BLOB,
    session_id BLOB,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    detail TEXT NOT NULL,
    times INTEGER NOT NULL
, organization_id BLOB, subject_id BLOB, fields TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_user_id ON audit (user_id, at, id);
CREATE INDEX invitations_pending_by ON invitations (organization_id, invited_by_user_id) WHERE state = 'pending';
CREATE INDEX invitations_finished ON invitations (finished_at) WHERE state <> 'pending';
CREATE INDEX invitations_expired ON invitations (expires_at) WHERE state = 'pending';
CREATE TABLE session_changes (
    -- Never used twice, so that a reader's place stays right when rows are removed.
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    -- The transaction's id; here ids are in the order of the commits, and it is not needed.
    xid INTEGER NOT NULL DEFAULT 0,
    session_id BLOB,
    user_id BLOB
, organization_id BLOB) STRICT;
CREATE INDEX session_changes_xid ON session_changes (xid);
CREATE TRIGGER users_removed AFTER DELETE ON users
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.id);
END;
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions WHEN OLD.ended_at IS NULL
BEGIN
    INSERT INTO session_changes (session_id) VALUES (OLD.id);
END;
CREATE TABLE totp (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    confirmed_at INTEGER,
    -- The time step of the last code that was accepted: only codes of later ones are.
    last_step INTEGER NOT NULL,
    -- Wrong codes since the last right one, and when the last of them came.
    failures INTEGER NOT NULL,
    failed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE recovery_codes (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    code_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE half_log_ins (
    token_hash BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The fingerprint of the password's hash: another password makes the row worthless.
    credential BLOB NOT NULL,
    tries INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
, methods TEXT, provider TEXT, authenticated_at INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX half_log_ins_user_id ON half_log_ins (user_id);
CREATE INDEX half_log_ins_expires_at ON half_log_ins (expires_at);
CREATE TABLE remembered_devices (
    token_hash BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_devices_user_id ON remembered_devices (user_id);
CREATE INDEX remembered_devices_expires_at ON remembered_devices (expires_at);
CREATE TABLE passkeys (
    id BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id BLOB NOT NULL,
    name TEXT NOT NULL,
    -- Key and flags as JSON, in the form of the library that checks signatures.
    credential BLOB NOT NULL,
    -- The authenticator's count of signatures: one that does not grow shows a copy.
    counter INTEGER NOT NULL,
    backed_up INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id, id);
CREATE TABLE passkey_challenges (
    challenge_hash BLOB PRIMARY KEY NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);
CREATE TABLE account_tokens (
    id BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    -- Of a sign-up there is no account yet.
    user_id BLOB REFERENCES users (id) ON DELETE CASCADE,
    -- The address that is proved; of an email_undo the one that comes back.
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    code_hash BLOB,
    -- Wrong codes since the last mail, and in all.
    wrong_codes INTEGER NOT NULL,
    code_failures INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- Where the flow is to end.
    return_to TEXT,
    -- What a sign-up asks for.
    username TEXT,
    password_hash TEXT,
    invitation_id BLOB REFERENCES invitations (id) ON DELETE SET NULL
, language TEXT) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX account_tokens_token_hash ON account_tokens (token_hash);
CREATE INDEX account_tokens_user_id ON account_tokens (user_id, kind);
CREATE INDEX account_tokens_email_key ON account_tokens (email_key, kind);
CREATE INDEX account_tokens_expires_at ON account_tokens (expires_at);
CREATE INDEX account_tokens_invitation_id ON account_tokens (invitation_id);
CREATE TABLE limits (
    id BLOB PRIMARY KEY NOT NULL,
    -- When the bucket is full again, when the next try is permitted, or until when a place is familiar.
    at INTEGER NOT NULL,
    -- Failures without a success between them.
    failures INTEGER NOT NULL,
    -- From then on the row says no more than no row.
    expires_at INTEGER NOT NULL
, name_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX limits_expires_at ON limits (expires_at);
CREATE INDEX invitations_email_key ON invitations (email_key);
CREATE TABLE reset_requests (
    id BLOB PRIMARY KEY NOT NULL,
    email TEXT NOT NULL,
    -- The language of the mail.
    locale TEXT NOT NULL,
    -- Where the flow is to end.
    return_to TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE code_failures (
    -- A keyed hash of the address and the purpose of its codes, or of the network.
    id BLOB PRIMARY KEY NOT NULL,
    -- Wrong codes of a day, and of a month.
    recent INTEGER NOT NULL,
    total INTEGER NOT NULL,
    -- When the first of the recent ones was typed, and when the last one.
    recent_since INTEGER NOT NULL,
    last_failed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX code_failures_last_failed_at ON code_failures (last_failed_at);
CREATE TABLE es256_signing_keys (
    kid TEXT PRIMARY KEY NOT NULL,
    public_key BLOB NOT NULL,
    private_key BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    active_from INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX users_beyond_ascii ON users (id) WHERE email_key GLOB '*[^ -~]*';
CREATE INDEX account_tokens_beyond_ascii ON account_tokens (id) WHERE email_key GLOB '*[^ -~]*';
CREATE INDEX invitations_beyond_ascii ON invitations (id) WHERE email_key GLOB '*[^ -~]*';
CREATE TRIGGER sessions_changed
AFTER UPDATE OF user_id, organization_id, authenticated_at, expires_at, ended_at, methods ON sessions
WHEN OLD.user_id IS NOT NEW.user_id OR OLD.organization_id IS NOT NEW.organization_id
    OR OLD.authenticated_at IS NOT NEW.authenticated_at OR OLD.expires_at IS NOT NEW.expires_at
    OR OLD.ended_at IS NOT NEW.ended_at OR OLD.methods IS NOT NEW.methods
BEGIN
    INSERT INTO session_changes (session_id) VALUES (OLD.id);
END;
CREATE TRIGGER memberships_changed AFTER UPDATE OF role ON memberships WHEN OLD.role IS NOT NEW.role
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER memberships_removed AFTER DELETE ON memberships
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER totp_changed AFTER UPDATE OF confirmed_at ON totp WHEN OLD.confirmed_at IS NOT NEW.confirmed_at
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER totp_removed AFTER DELETE ON totp WHEN OLD.confirmed_at IS NOT NULL
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TRIGGER passkeys_added AFTER INSERT ON passkeys
BEGIN
    INSERT INTO session_changes (user_id) VALUES (NEW.user_id);
END;
CREATE TRIGGER passkeys_removed AFTER DELETE ON passkeys
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.user_id);
END;
CREATE TABLE api_keys (
    -- The part of the key that is no secret.
    id TEXT PRIMARY KEY NOT NULL,
    -- The key that its rotations began with, itself at first.
    family TEXT NOT NULL,
    name TEXT NOT NULL,
    secret BLOB NOT NULL,
    -- Separated by commas, as the networks. No network: from everywhere.
    scopes TEXT NOT NULL,
    networks TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- By day and network: between two changes of either it is not written.
    last_used_at INTEGER,
    last_used_network TEXT NOT NULL DEFAULT ''
);
CREATE INDEX api_keys_name ON api_keys (name, created_at);
CREATE INDEX api_keys_created_at ON api_keys (created_at, id);
CREATE INDEX users_created_at ON users (created_at, id);
CREATE INDEX users_email_prefix ON users (email_key);
CREATE INDEX users_username_prefix ON users (username_key);
CREATE INDEX users_with_role ON users (id) WHERE roles <> '';
CREATE TABLE idempotency_keys (
    -- A hash of API key, method, path and Idempotency-Key.
    id BLOB PRIMARY KEY NOT NULL,
    -- Which of the requests works on it. One that has lost the claim cannot commit.
    claim BLOB NOT NULL,
    started_at INTEGER NOT NULL,
    -- The hash of the body and the answer, sealed; NULL while the request runs.
    answer BLOB
) STRICT;
CREATE INDEX idempotency_keys_started_at ON idempotency_keys (started_at);
CREATE INDEX organizations_created_at ON organizations (created_at, id);
CREATE INDEX memberships_created_at ON memberships (organization_id, created_at, user_id);
CREATE TABLE doctor_nonces (
    hash BLOB PRIMARY KEY NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX doctor_nonces_expires_at ON doctor_nonces (expires_at);
CREATE TABLE setup_links (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    token_hash BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX users_with_roles ON users (id) WHERE roles <> '';
CREATE TABLE lost_factors (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    lost_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX organizations_name ON organizations (name, id);
CREATE TABLE dev_accounts (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE
, taken_at INTEGER) STRICT, WITHOUT ROWID;
CREATE TRIGGER organizations_changed AFTER UPDATE OF name, kind ON organizations
WHEN OLD.name IS NOT NEW.name OR OLD.kind IS NOT NEW.kind
BEGIN
    INSERT INTO session_changes (organization_id) VALUES (OLD.id);
END;
CREATE TABLE providers (
    name TEXT PRIMARY KEY NOT NULL,
    -- The order of the buttons.
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    -- Of Microsoft.
    tenant TEXT,
    -- Of Apple.
    team_id TEXT,
    key_id TEXT,
    -- Separated by spaces.
    scopes TEXT NOT NULL,
    label TEXT NOT NULL,
    email TEXT NOT NULL,
    mfa TEXT NOT NULL,
    signup INTEGER NOT NULL,
    -- Sealed: the client's secret, or Apple's key. Without one it was lost with the secret key.
    secret BLOB,
    -- The version of the list in which what a login depends on was last changed: kind, issuer, client id, tenant, scopes.
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX providers_client ON providers (issuer, client_id);
CREATE INDEX providers_position ON providers (position, name);
CREATE TABLE identities (
    id BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- The name of the provider by which it was last seen, and the address that this one stated.
    provider TEXT NOT NULL,
    email TEXT,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identities_subject ON identities (issuer, subject);
CREATE INDEX identities_user_id ON identities (user_id, created_at);
CREATE TABLE foreign_logins (
    state_hash BLOB PRIMARY KEY NOT NULL,
    -- The keyed hash of the secret of the browser that began it.
    browser_hash BLOB NOT NULL,
    -- Sealed: the code verifier and the nonce.
    secrets BLOB NOT NULL,
    -- The provider as it was then.
    provider TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- To connect an account there with one's own, the session and its user; neither for a login.
    session_id BLOB,
    user_id BLOB,
    return_to TEXT,
    invitation_id BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- When the provider's answer came back, which it may once.
    claimed_at INTEGER,
    -- Sealed: the answer that came by a form, without the browser's cookie.
    answer BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX foreign_logins_expires_at ON foreign_logins (expires_at);
CREATE INDEX sessions_provider ON sessions (provider) WHERE provider IS NOT NULL;
CREATE TABLE pending_identities (
    token_id BLOB PRIMARY KEY NOT NULL REFERENCES account_tokens (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    provider TEXT NOT NULL,
    -- What the person is called there, if that may be a display name.
    name TEXT,
    -- Whether a second factor was shown there, and when the person authenticated, if that is known.
    second_factor INTEGER NOT NULL,
    authenticated_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX half_log_ins_provider ON half_log_ins (provider) WHERE provider IS NOT NULL;
CREATE INDEX pending_identities_provider ON pending_identities (provider);
CREATE INDEX foreign_logins_provider ON foreign_logins (provider);
CREATE TABLE user_words (
    word TEXT NOT NULL,
    -- Minus the time at which the account was made, in microseconds: ascending rows of a word are newest first.
    newest INTEGER NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (word, newest, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_words_user_id ON user_words (user_id, word);
CREATE TABLE word_passes (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    -- When the first one began.
    began_at INTEGER,
    -- After this user the pass goes on; NULL: from the beginning.
    after_id BLOB,
    -- When the next part may be worked on: while a process works on one, that part has an end.
    due_at INTEGER NOT NULL
) STRICT;
CREATE TABLE hourly_counts (
    -- When the hour began.
    hour INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (hour, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
    id BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    -- running, done or failed.
    state TEXT NOT NULL,
    -- A JSON object with members by kind.
    params TEXT NOT NULL,
    -- How many things are done, and of how many, once they are counted.
    done INTEGER NOT NULL,
    total INTEGER,
    -- After what the next step begins; none before the first one.
    cursor TEXT,
    created_at INTEGER NOT NULL,
    -- The administrator; none for an operator.
    created_by_user_id BLOB,
    -- Grows with each process that takes the job, and until when that one has it.
    lease INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    finished_at INTEGER,
    -- Why it failed.
    error TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_running ON jobs (kind, params) WHERE finished_at IS NULL;
CREATE INDEX jobs_due ON jobs (lease_until) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX audit_subject_id ON audit (subject_id, at, id) WHERE subject_id <> user_id;
CREATE INDEX audit_actor_user_id ON audit (actor_user_id, at, id)
    WHERE actor_user_id IS NOT NULL AND (user_id IS NULL OR actor_user_id <> user_id);
CREATE INDEX audit_organization_id ON audit (organization_id, at, id) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_actor ON audit (actor, at, id) WHERE actor <> 'user';
CREATE INDEX audit_kind ON audit (kind, at, id)
    WHERE kind <> 'signed_in' AND kind <> 'signed_out' AND kind <> 'sign_in_failed'
        AND kind <> 'session_ended' AND kind <> 'account_created';
CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE state = 'pending' AND waits IS NULL;
CREATE INDEX outbox_waiting ON outbox (subject, id) WHERE state = 'pending' AND waits IS NOT NULL;
CREATE INDEX outbox_sending ON outbox (subject) WHERE state = 'processing' AND subject IS NOT NULL;
CREATE TABLE outbox_subjects (
    subject TEXT PRIMARY KEY NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_subjects_last_at ON outbox_subjects (last_at);
CREATE TABLE processes (
    id BLOB PRIMARY KEY NOT NULL,
    -- JSON: the value of each setting by its name, or its keyed hash.
    settings TEXT NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX processes_seen_at ON processes (seen_at);
CREATE INDEX limits_name_id ON limits (name_id) WHERE name_id IS NOT NULL;
CREATE TABLE kept_usernames (
    username_key TEXT PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_usernames_user ON kept_usernames (user_id);
CREATE INDEX kept_usernames_expires ON kept_usernames (expires_at);
CREATE INDEX organizations_name_key ON organizations (name_key, id);
CREATE INDEX organizations_unkeyed ON organizations (id) WHERE keyed_name IS DISTINCT FROM name;
CREATE INDEX outbox_urgent ON outbox (channel, due_at, id)
    WHERE state = 'pending' AND kind IN ('password-reset', 'confirmation-code');
CREATE TRIGGER users_changed
AFTER UPDATE OF email, username, name, external_id, roles, disabled_at, created_at, email_verified_at ON users
WHEN OLD.email IS NOT NEW.email OR OLD.username IS NOT NEW.username OR OLD.name IS NOT NEW.name
    OR OLD.external_id IS NOT NEW.external_id OR OLD.roles IS NOT NEW.roles
    OR OLD.disabled_at IS NOT NEW.disabled_at OR OLD.created_at IS NOT NEW.created_at
    OR OLD.email_verified_at IS NOT NEW.email_verified_at
BEGIN
    INSERT INTO session_changes (user_id) VALUES (OLD.id);
END;
CREATE INDEX users_external_id ON users (external_id) WHERE external_id IS NOT NULL;
INSERT INTO word_passes (id, began_at, after_id, due_at) VALUES (1, NULL, NULL, 0);
