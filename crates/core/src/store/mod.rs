//! SQL and nothing else: one text for SQLite and PostgreSQL, run by [`Conn`]; every change in a transaction, [`Tx`].
//!
//! [`Store::read`] returns a [`Conn`], which only reads; [`Store::begin`] returns a [`Tx`], which also writes. What a
//! transaction computed leaves the store only after its commit is durable.

#[macro_use]
mod sql;
#[macro_use]
mod macros;
mod account_tokens;
mod administrators;
mod api_keys;
mod audit;
mod audit_insert;
mod audit_list;
mod audit_own;
mod code_failures;
mod conn;
mod database_clock;
mod db;
mod dev_accounts;
mod diagnosis;
mod doctor_nonces;
mod error;
mod failed_attempts;
mod handle;
mod hourly_counts;
mod idempotency;
mod instance;
mod invitations;
mod jobs;
mod kept_usernames;
mod limits;
mod lost_key;
mod mails;
mod mails_read;
#[cfg(test)]
mod mails_tests;
mod measure_clock;
#[macro_use]
mod members;
mod migrate;
mod object_diff;
mod observe;
mod organization_keys;
mod organization_lists;
mod organizations;
#[cfg(test)]
mod organizations_tests;
mod outbox;
mod passkeys;
mod pending_logins;
mod people;
mod ping;
#[cfg(test)]
mod plan;
mod postgres;
mod processes;
mod provider;
mod recovery_codes;
mod reset_requests;
mod restored;
mod schema_content;
mod schema_objects;
mod schema_steps;
mod session;
mod setup_links;
mod shared;
mod signing_keys;
mod sqlite;
mod status;
mod totp;
mod trusted_devices;
mod tx;
mod types;
mod unicode_domains;
#[macro_use]
mod user_details;
mod user_lists;
mod user_words;
mod users;
mod values;
mod waiter;
mod word_check;

pub use account_tokens::AccountTokenRow;
pub use api_keys::ApiKeyRow;
pub use audit::{AuditRow, LoginRow};
pub use audit_list::{AUDIT_PLACES, AuditAbout, AuditPart, AuditQuery};
pub use code_failures::CodeFailuresRow;
pub use conn::Conn;
pub use database_clock::CLOCK_TOLERANCE;
pub use diagnosis::DatabaseFault;
pub use error::{Constraint, Result, StoreError};
pub use failed_attempts::FailedAttempts;
pub use handle::Store;
pub use hourly_counts::{HOURLY_COUNT_RETENTION, HourlyCountRow, HourlyCounts, HourlySeries, SeriesCounts, hour_of};
pub use idempotency::KeptAnswerRow;
pub use invitations::{InvitationHashes, InvitationRow};
pub use jobs::{JOB_RETENTION, JobRow, JobState, JobStep, NewJob};
pub use kept_usernames::KeptUsernameRow;
pub use limits::LimitRow;
pub use mails::{NewMail, SealedMail};
pub use mails_read::{MailFilter, MailRow};
pub use members::MemberRow;
pub use organization_lists::CountedOrganizationRow;
pub use organizations::{CountedMembershipRow, MOST_COUNTED, MembershipRow, OrganizationRow};
pub use outbox::cause::caused_by;
pub use outbox::channel::{Channel, Queue};
pub use outbox::claim::{Claimed, ClaimedBatch, Lease, Look, OUTBOX_BATCH};
pub use outbox::listen::OutboxListener;
pub use outbox::maintain::{Finished, Reaped};
pub use outbox::read::{AttemptRow, DeliveryFilter, DeliveryRow, DeliveryState};
pub use outbox::replay::{FailedRange, REPLAY_BATCH, ReplayedBatch};
pub use outbox::settle::{Attempt, Next, Settlement};
pub use outbox::stats::{AttemptSample, COUNT_LIMIT, OldestPending, SAMPLE};
pub use passkeys::PasskeyRow;
pub use pending_logins::PendingLoginRow;
pub use people::{PageLimits, PeoplePage, WordPlace, WordWalk};
pub use processes::PROCESS_TTL;
pub use provider::{
    ConnectTarget, IdentityRow, MAX_IDENTITIES, NewIdentity, PendingIdentityRow, ProviderList, ProviderLoginRow,
    ProviderRow,
};
pub use recovery_codes::RecoveryCodeRow;
pub use reset_requests::ResetRequestRow;
pub use schema_objects::{others_are_connected, unexpected_objects};
pub use schema_steps::{SchemaStep, StepState, is_on_this_machine, noted_base_url, schema_steps};
pub use session::columns::{SESSION_COLUMNS, SessionColumns};
pub use session::last_use::{LAST_USE_PRECISION, LastUse};
pub use session::list::{SessionDetailsRow, SessionSummary};
pub use session::memory::cursor::{CHANGE_RETENTION, ChangeCursor};
pub use session::row::{Nonce, RefreshTokens, SessionRow};
pub use session::session_store::SessionStore;
pub use session::write::NewSession;
pub use signing_keys::SigningKeyRow;
pub use sqlite::{CopyError, HeldFile, Soundness, sqlite_copy, sqlite_settle, sqlite_soundness, sqlite_verify};
pub use status::{ConnectionUse, SessionCacheUse};
pub use totp::TotpRow;
pub use trusted_devices::TrustedDeviceRow;
pub use tx::Tx;
pub use unicode_domains::{AddressTable, StoredAddress};
pub use user_details::{UserDetailsRow, WholeUserRow};
pub use user_lists::{UserFilter, UserState};
pub use user_words::ComparedWords;
pub use users::UserRow;
pub use word_check::WordCheckRow;
