CREATE FUNCTION note_organization_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO session_changes (xid, organization_id) VALUES (txid_current(), OLD.id);
    RETURN NULL;
END $$;
CREATE FUNCTION note_owner_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO session_changes (xid, user_id) VALUES (txid_current(), COALESCE(OLD.user_id, NEW.user_id));
    RETURN NULL;
END $$;
CREATE FUNCTION note_session_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO session_changes (xid, session_id) VALUES (txid_current(), OLD.id);
    RETURN NULL;
END $$;
CREATE FUNCTION note_user_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO session_changes (xid, user_id) VALUES (txid_current(), OLD.id);
    RETURN NULL;
END $$;
CREATE TABLE account_tokens (
    id uuid NOT NULL,
    kind text NOT NULL,
    user_id uuid,
    email text NOT NULL,
    email_key text NOT NULL,
    token_hash bytea NOT NULL,
    code_hash bytea,
    wrong_codes bigint NOT NULL,
    code_failures bigint NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    return_to text,
    username text,
    password_hash text,
    invitation_id uuid,
    language text
);
CREATE TABLE api_keys (
    id text NOT NULL,
    family text NOT NULL,
    name text NOT NULL,
    secret bytea NOT NULL,
    scopes text NOT NULL,
    networks text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_used_network text DEFAULT ''::text NOT NULL
);
CREATE TABLE audit (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id uuid,
    kind text NOT NULL,
    actor text NOT NULL,
    actor_user_id uuid,
    session_id uuid,
    address text NOT NULL,
    user_agent text NOT NULL,
    detail text NOT NULL,
    times bigint NOT NULL,
    organization_id uuid,
    subject_id uuid,
    fields text
);
CREATE TABLE code_failures (
    id uuid NOT NULL,
    recent bigint NOT NULL,
    total bigint NOT NULL,
    recent_since timestamp with time zone NOT NULL,
    last_failed_at timestamp with time zone NOT NULL
);
CREATE TABLE dev_accounts (
    user_id uuid NOT NULL,
    taken_at timestamp with time zone
);
CREATE TABLE doctor_nonces (
    hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE es256_signing_keys (
    kid text NOT NULL,
    public_key bytea NOT NULL,
    private_key bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    active_from timestamp with time zone NOT NULL
);
CREATE TABLE foreign_logins (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    secrets bytea NOT NULL,
    provider text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    revision bigint NOT NULL,
    session_id uuid,
    user_id uuid,
    return_to text,
    invitation_id uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    answer bytea
);
CREATE TABLE half_log_ins (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    credential bytea NOT NULL,
    tries bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    methods text,
    provider text,
    authenticated_at timestamp with time zone
);
CREATE TABLE hourly_counts (
    hour timestamp with time zone NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE idempotency_keys (
    id bytea NOT NULL,
    claim uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    answer bytea
);
CREATE TABLE identities (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    provider text NOT NULL,
    email text,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
CREATE TABLE instance (
    id bigint NOT NULL,
    key_check bytea NOT NULL,
    webhooks boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    settings text,
    settings_at timestamp with time zone,
    webhooks_at timestamp with time zone,
    webhook_events text,
    base_url text,
    providers bigint DEFAULT 0 NOT NULL,
    backed_up_at timestamp with time zone,
    CONSTRAINT instance_id_check CHECK ((id = 1))
);
CREATE TABLE invitations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    role text NOT NULL,
    metadata text NOT NULL,
    token_hash bytea NOT NULL,
    proves_address boolean NOT NULL,
    invited_by_user_id uuid,
    state text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    finished_by_user_id uuid,
    mailed_token_hash bytea
);
CREATE TABLE jobs (
    id uuid NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    params text NOT NULL,
    done bigint NOT NULL,
    total bigint,
    cursor text,
    created_at timestamp with time zone NOT NULL,
    created_by_user_id uuid,
    lease bigint NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    error text
);
CREATE TABLE kept_usernames (
    username_key text NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE limits (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    failures bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    name_id uuid
);
CREATE TABLE lost_factors (
    user_id uuid NOT NULL,
    lost_at timestamp with time zone NOT NULL
);
CREATE TABLE mails (
    id uuid NOT NULL,
    recipient text NOT NULL,
    recipient_key text NOT NULL,
    subject text NOT NULL,
    message_id text NOT NULL,
    about_id uuid,
    expires_at timestamp with time zone NOT NULL,
    erased_at timestamp with time zone
);
CREATE TABLE memberships (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE organizations (
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    created_by_user_id uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    name_key text COLLATE pg_catalog."C",
    keyed_name text
);
CREATE TABLE outbox (
    id uuid NOT NULL,
    channel text NOT NULL,
    kind text NOT NULL,
    payload bytea NOT NULL,
    state text NOT NULL,
    attempts bigint NOT NULL,
    lease bigint NOT NULL,
    started boolean NOT NULL,
    interrupted boolean NOT NULL,
    due_at timestamp with time zone NOT NULL,
    leased_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    traceparent text,
    subject text,
    waits boolean
);
CREATE TABLE outbox_attempts (
    delivery_id uuid NOT NULL,
    lease bigint NOT NULL,
    attempt bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_us bigint NOT NULL,
    outcome text NOT NULL,
    status bigint,
    response bytea NOT NULL
);
CREATE TABLE outbox_subjects (
    subject text NOT NULL,
    last_at timestamp with time zone NOT NULL
);
CREATE TABLE passkey_challenges (
    challenge_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    name text NOT NULL,
    credential bytea NOT NULL,
    counter bigint NOT NULL,
    backed_up boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
CREATE TABLE pending_identities (
    token_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    provider text NOT NULL,
    name text,
    second_factor boolean NOT NULL,
    authenticated_at timestamp with time zone
);
CREATE TABLE processes (
    id uuid NOT NULL,
    settings text NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
CREATE TABLE providers (
    name text NOT NULL,
    "position" bigint NOT NULL,
    kind text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    tenant text,
    team_id text,
    key_id text,
    scopes text NOT NULL,
    label text NOT NULL,
    email text NOT NULL,
    mfa text NOT NULL,
    signup boolean NOT NULL,
    secret bytea,
    revision bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    number bigint NOT NULL,
    code_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE remembered_devices (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    credential bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE reset_requests (
    id uuid NOT NULL,
    email text NOT NULL,
    locale text NOT NULL,
    return_to text,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE session_changes (
    id bigint NOT NULL,
    xid bigint NOT NULL,
    session_id uuid,
    user_id uuid,
    organization_id uuid
);
ALTER TABLE session_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME session_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    nonce bytea NOT NULL,
    generation bigint NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    used boolean NOT NULL,
    parent_generation bigint,
    parent_issued_at timestamp with time zone,
    replaced_at timestamp with time zone,
    version bigint NOT NULL,
    user_agent text NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    end_reason text,
    authenticated_at timestamp with time zone,
    methods text DEFAULT ''::text NOT NULL,
    provider text
);
CREATE TABLE setup_links (
    id bigint NOT NULL,
    token_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT setup_links_id_check CHECK ((id = 1))
);
CREATE TABLE signing_keys (
    kid text NOT NULL,
    public_key bytea NOT NULL,
    private_key bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    active_from timestamp with time zone NOT NULL
);
CREATE TABLE totp (
    user_id uuid NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint NOT NULL,
    failures bigint NOT NULL,
    failed_at timestamp with time zone
);
CREATE TABLE user_words (
    word text NOT NULL COLLATE pg_catalog."C",
    newest bigint NOT NULL,
    user_id uuid NOT NULL
);
CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    username text NOT NULL,
    username_key text NOT NULL,
    password_hash text,
    roles text NOT NULL,
    email_verified_at timestamp with time zone,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    language text,
    external_id text,
    metadata text DEFAULT '{}'::text NOT NULL,
    name text
);
CREATE TABLE word_passes (
    id bigint NOT NULL,
    began_at timestamp with time zone,
    after_id uuid,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT word_passes_id_check CHECK ((id = 1))
);
INSERT INTO word_passes VALUES (1, NULL, NULL, '1970-01-01 00:00:00+00');
SELECT pg_catalog.setval('session_changes_id_seq', 1, false);
ALTER TABLE ONLY account_tokens
    ADD CONSTRAINT account_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY code_failures
    ADD CONSTRAINT code_failures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY dev_accounts
    ADD CONSTRAINT dev_accounts_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY doctor_nonces
    ADD CONSTRAINT doctor_nonces_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY es256_signing_keys
    ADD CONSTRAINT es256_signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY foreign_logins
    ADD CONSTRAINT foreign_logins_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY half_log_ins
    ADD CONSTRAINT half_log_ins_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY hourly_counts
    ADD CONSTRAINT hourly_counts_pkey PRIMARY KEY (hour, name);
ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kept_usernames
    ADD CONSTRAINT kept_usernames_pkey PRIMARY KEY (username_key);
ALTER TABLE ONLY limits
    ADD CONSTRAINT limits_pkey PRIMARY KEY (id);
ALTER TABLE ONLY lost_factors
    ADD CONSTRAINT lost_factors_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id);
ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY outbox_attempts
    ADD CONSTRAINT outbox_attempts_pkey PRIMARY KEY (delivery_id, lease);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY outbox_subjects
    ADD CONSTRAINT outbox_subjects_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge_hash);
ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pending_identities
    ADD CONSTRAINT pending_identities_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY providers
    ADD CONSTRAINT providers_pkey PRIMARY KEY (name);
ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, number);
ALTER TABLE ONLY remembered_devices
    ADD CONSTRAINT remembered_devices_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY reset_requests
    ADD CONSTRAINT reset_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY session_changes
    ADD CONSTRAINT session_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY setup_links
    ADD CONSTRAINT setup_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY totp
    ADD CONSTRAINT totp_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY user_words
    ADD CONSTRAINT user_words_pkey PRIMARY KEY (word, newest, user_id);
ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY word_passes
    ADD CONSTRAINT word_passes_pkey PRIMARY KEY (id);
CREATE INDEX account_tokens_beyond_ascii ON account_tokens USING btree (id) WHERE (octet_length(email_key) <> char_length(email_key));
CREATE INDEX account_tokens_email_key ON account_tokens USING btree (email_key, kind);
CREATE INDEX account_tokens_expires_at ON account_tokens USING btree (expires_at);
CREATE INDEX account_tokens_invitation_id ON account_tokens USING btree (invitation_id);
CREATE UNIQUE INDEX account_tokens_token_hash ON account_tokens USING btree (token_hash);
CREATE INDEX account_tokens_user_id ON account_tokens USING btree (user_id, kind);
CREATE INDEX api_keys_created_at ON api_keys USING btree (created_at, id);
CREATE INDEX api_keys_name ON api_keys USING btree (name, created_at);
CREATE INDEX audit_actor ON audit USING btree (actor, at, id) WHERE (actor <> 'user'::text);
CREATE INDEX audit_actor_user_id ON audit USING btree (actor_user_id, at, id) WHERE ((actor_user_id IS NOT NULL) AND ((user_id IS NULL) OR (actor_user_id <> user_id)));
CREATE INDEX audit_at ON audit USING btree (at, id);
CREATE INDEX audit_kind ON audit USING btree (kind, at, id) WHERE ((kind <> 'signed_in'::text) AND (kind <> 'signed_out'::text) AND (kind <> 'sign_in_failed'::text) AND (kind <> 'session_ended'::text) AND (kind <> 'account_created'::text));
CREATE INDEX audit_organization_id ON audit USING btree (organization_id, at, id) WHERE (organization_id IS NOT NULL);
CREATE INDEX audit_subject_id ON audit USING btree (subject_id, at, id) WHERE (subject_id <> user_id);
CREATE INDEX audit_user_id ON audit USING btree (user_id, at, id);
CREATE INDEX code_failures_last_failed_at ON code_failures USING btree (last_failed_at);
CREATE INDEX doctor_nonces_expires_at ON doctor_nonces USING btree (expires_at);
CREATE INDEX foreign_logins_expires_at ON foreign_logins USING btree (expires_at);
CREATE INDEX foreign_logins_provider ON foreign_logins USING btree (provider);
CREATE INDEX half_log_ins_expires_at ON half_log_ins USING btree (expires_at);
CREATE INDEX half_log_ins_provider ON half_log_ins USING btree (provider) WHERE (provider IS NOT NULL);
CREATE INDEX half_log_ins_user_id ON half_log_ins USING btree (user_id);
CREATE INDEX idempotency_keys_started_at ON idempotency_keys USING btree (started_at);
CREATE UNIQUE INDEX identities_subject ON identities USING btree (issuer, subject);
CREATE INDEX identities_user_id ON identities USING btree (user_id, created_at);
CREATE INDEX invitations_beyond_ascii ON invitations USING btree (id) WHERE (octet_length(email_key) <> char_length(email_key));
CREATE INDEX invitations_email_key ON invitations USING btree (email_key);
CREATE INDEX invitations_expired ON invitations USING btree (expires_at) WHERE (state = 'pending'::text);
CREATE INDEX invitations_finished ON invitations USING btree (finished_at) WHERE (state <> 'pending'::text);
CREATE INDEX invitations_finished_by_user_id ON invitations USING btree (finished_by_user_id);
CREATE INDEX invitations_invited_by_user_id ON invitations USING btree (invited_by_user_id);
CREATE UNIQUE INDEX invitations_mailed_token_hash ON invitations USING btree (mailed_token_hash);
CREATE INDEX invitations_organization_id ON invitations USING btree (organization_id, id);
CREATE UNIQUE INDEX invitations_pending ON invitations USING btree (organization_id, email_key) WHERE (state = 'pending'::text);
CREATE INDEX invitations_pending_by ON invitations USING btree (organization_id, invited_by_user_id) WHERE (state = 'pending'::text);
CREATE UNIQUE INDEX invitations_token_hash ON invitations USING btree (token_hash);
CREATE INDEX jobs_due ON jobs USING btree (lease_until) WHERE (finished_at IS NULL);
CREATE INDEX jobs_finished ON jobs USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX jobs_running ON jobs USING btree (kind, params) WHERE (finished_at IS NULL);
CREATE INDEX kept_usernames_expires ON kept_usernames USING btree (expires_at);
CREATE INDEX kept_usernames_user ON kept_usernames USING btree (user_id);
CREATE INDEX limits_expires_at ON limits USING btree (expires_at);
CREATE INDEX limits_name_id ON limits USING btree (name_id) WHERE (name_id IS NOT NULL);
CREATE INDEX mails_about_id ON mails USING btree (about_id) WHERE (erased_at IS NULL);
CREATE INDEX mails_expires_at ON mails USING btree (expires_at) WHERE (erased_at IS NULL);
CREATE INDEX mails_recipient_key ON mails USING btree (recipient_key, id);
CREATE INDEX memberships_created_at ON memberships USING btree (organization_id, created_at, user_id);
CREATE INDEX memberships_owners ON memberships USING btree (organization_id, user_id) WHERE (role = 'owner'::text);
CREATE INDEX memberships_user_id ON memberships USING btree (user_id, created_at, organization_id);
CREATE INDEX organizations_created_at ON organizations USING btree (created_at, id);
CREATE INDEX organizations_created_by_user_id ON organizations USING btree (created_by_user_id);
CREATE INDEX organizations_name ON organizations USING btree (name, id);
CREATE INDEX organizations_name_key ON organizations USING btree (name_key, id);
CREATE INDEX organizations_unkeyed ON organizations USING btree (id) WHERE (keyed_name IS DISTINCT FROM name);
CREATE INDEX outbox_delivered ON outbox USING btree (channel, finished_at) WHERE (state = 'delivered'::text);
CREATE INDEX outbox_due ON outbox USING btree (channel, due_at, id) WHERE ((state = 'pending'::text) AND (waits IS NULL));
CREATE INDEX outbox_failed ON outbox USING btree (channel, finished_at) WHERE (state = 'failed'::text);
CREATE INDEX outbox_pending ON outbox USING btree (channel, due_at, id) WHERE (state = 'pending'::text);
CREATE INDEX outbox_processing ON outbox USING btree (channel, leased_at) WHERE (state = 'processing'::text);
CREATE INDEX outbox_sending ON outbox USING btree (subject) WHERE ((state = 'processing'::text) AND (subject IS NOT NULL));
CREATE INDEX outbox_subjects_last_at ON outbox_subjects USING btree (last_at);
CREATE INDEX outbox_urgent ON outbox USING btree (channel, due_at, id) WHERE ((state = 'pending'::text) AND (kind = ANY (ARRAY['password-reset'::text, 'confirmation-code'::text])));
CREATE INDEX outbox_waiting ON outbox USING btree (subject, id) WHERE ((state = 'pending'::text) AND (waits IS NOT NULL));
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges USING btree (expires_at);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_user_id ON passkeys USING btree (user_id, id);
CREATE INDEX pending_identities_provider ON pending_identities USING btree (provider);
CREATE INDEX processes_seen_at ON processes USING btree (seen_at);
CREATE UNIQUE INDEX providers_client ON providers USING btree (issuer, client_id);
CREATE INDEX providers_position ON providers USING btree ("position", name);
CREATE INDEX remembered_devices_expires_at ON remembered_devices USING btree (expires_at);
CREATE INDEX remembered_devices_user_id ON remembered_devices USING btree (user_id);
CREATE INDEX session_changes_xid ON session_changes USING btree (xid);
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);
CREATE INDEX sessions_organization_id ON sessions USING btree (organization_id);
CREATE INDEX sessions_provider ON sessions USING btree (provider) WHERE (provider IS NOT NULL);
CREATE INDEX sessions_user_id ON sessions USING btree (user_id, created_at);
CREATE INDEX user_words_user_id ON user_words USING btree (user_id, word);
CREATE INDEX users_beyond_ascii ON users USING btree (id) WHERE (octet_length(email_key) <> char_length(email_key));
CREATE INDEX users_created_at ON users USING btree (created_at, id);
CREATE UNIQUE INDEX users_email_key ON users USING btree (email_key);
CREATE INDEX users_email_prefix ON users USING btree (email_key COLLATE "C");
CREATE INDEX users_external_id ON users USING btree (external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX users_username_key ON users USING btree (username_key);
CREATE INDEX users_username_prefix ON users USING btree (username_key COLLATE "C");
CREATE INDEX users_with_role ON users USING btree (id) WHERE (roles <> ''::text);
CREATE INDEX users_with_roles ON users USING btree (id) WHERE (roles <> ''::text);
CREATE TRIGGER memberships_changed AFTER UPDATE OF role ON memberships FOR EACH ROW WHEN ((old.role IS DISTINCT FROM new.role)) EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER memberships_removed AFTER DELETE ON memberships FOR EACH ROW EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER organizations_changed AFTER UPDATE OF name, kind ON organizations FOR EACH ROW WHEN ((old.name, old.kind) IS DISTINCT FROM (new.name, new.kind)) EXECUTE FUNCTION note_organization_change();
CREATE TRIGGER passkeys_added AFTER INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER passkeys_removed AFTER DELETE ON passkeys FOR EACH ROW EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER sessions_changed AFTER UPDATE OF user_id, organization_id, authenticated_at, expires_at, ended_at, methods ON sessions FOR EACH ROW WHEN ((old.user_id, old.organization_id, old.authenticated_at, old.expires_at, old.ended_at, old.methods) IS DISTINCT FROM (new.user_id, new.organization_id, new.authenticated_at, new.expires_at, new.ended_at, new.methods)) EXECUTE FUNCTION note_session_change();
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions FOR EACH ROW WHEN ((old.ended_at IS NULL)) EXECUTE FUNCTION note_session_change();
CREATE TRIGGER totp_changed AFTER UPDATE OF confirmed_at ON totp FOR EACH ROW WHEN ((old.confirmed_at IS DISTINCT FROM new.confirmed_at)) EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER totp_removed AFTER DELETE ON totp FOR EACH ROW WHEN ((old.confirmed_at IS NOT NULL)) EXECUTE FUNCTION note_owner_change();
CREATE TRIGGER users_changed AFTER UPDATE OF email, username, name, external_id, roles, disabled_at, created_at, email_verified_at ON users FOR EACH ROW WHEN ((old.email, old.username, old.name, old.external_id, old.roles, old.disabled_at, old.created_at, old.email_verified_at) IS DISTINCT FROM (new.email, new.username, new.name, new.external_id, new.roles, new.disabled_at, new.created_at, new.email_verified_at)) EXECUTE FUNCTION note_user_change();
CREATE TRIGGER users_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION note_user_change();
ALTER TABLE ONLY account_tokens
    ADD CONSTRAINT account_tokens_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE SET NULL;
ALTER TABLE ONLY account_tokens
    ADD CONSTRAINT account_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY dev_accounts
    ADD CONSTRAINT dev_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY half_log_ins
    ADD CONSTRAINT half_log_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_finished_by_user_id_fkey FOREIGN KEY (finished_by_user_id) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_invited_by_user_id_fkey FOREIGN KEY (invited_by_user_id) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY lost_factors
    ADD CONSTRAINT lost_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_id_fkey FOREIGN KEY (id) REFERENCES outbox(id) ON DELETE CASCADE;
ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE ONLY outbox_attempts
    ADD CONSTRAINT outbox_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES outbox(id) ON DELETE CASCADE;
ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY pending_identities
    ADD CONSTRAINT pending_identities_token_id_fkey FOREIGN KEY (token_id) REFERENCES account_tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY remembered_devices
    ADD CONSTRAINT remembered_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY totp
    ADD CONSTRAINT totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY user_words
    ADD CONSTRAINT user_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
