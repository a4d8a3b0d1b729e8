//! The arguments of `doorward user`. Doc comments here are the help text.

use super::details_args::SetDetails;
use super::page::PageArguments;
use super::role_parser::RoleParser;
use super::user_audit_args::UserAudit;
use crate::domain::directory::search::Search;
use crate::model::roles::PlatformRole;
use crate::store::UserState;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use uuid::Uuid;

/// `doorward user …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum UserCommand {
    /// Create an account, even if signup is closed
    Create(CreateUser),
    /// List accounts, newest first
    List(ListUsers),
    /// List accounts whose email addresses differ only in the spelling of the domain, from before addresses had
    /// to be unique
    Duplicates,
    /// Show an account with its sessions and last login
    Show(UserArgument),
    /// Show the audit log of the last 90 days, of an account or of all, newest first
    #[command(
        long_about = "Show the audit log of the last 90 days, newest first: what happened to an account, and what \
            its user did to others; without an account, everything.\n\nWith --all, prints every entry on a line of \
            its own; with --json as an object, as in the file that administrators export.\n\n\
            Example: doorward --json user audit --kind sign_in_failed --since 2026-07-01T00:00:00Z --all"
    )]
    Audit(UserAudit),
    /// Disable an account and end its sessions
    Disable(UserArgument),
    /// Let a disabled account log in again
    Enable(UserArgument),
    /// Clear login delays caused by failed attempts with passwords and codes. Verify the requester first
    Unlock(UserArgument),
    /// Grant platform roles to an account
    Grant(RolesOfUser),
    /// Remove platform roles from an account
    Revoke(RolesOfUser),
    /// Set an account's password and end its sessions
    SetPassword(SetPassword),
    /// Email a user a link to set a new password
    SendPasswordReset(UserArgument),
    /// Set an account's email address; links mailed to the previous one stop working
    SetEmail(SetEmail),
    /// Email a user a link and a code to verify their email address
    SendVerification(UserArgument),
    /// Set the data that the application stores with an account: its own id, and a JSON object
    SetDetails(SetDetails),
    /// List or revoke an account's sessions
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// List or remove an account's identities at providers
    #[command(subcommand)]
    Identities(IdentitiesCommand),
    /// Manage an account's second factors
    #[command(subcommand)]
    TwoFactor(TwoFactorCommand),
    /// Delete an account permanently, with its sessions, memberships and personal organization
    Delete(UserToConfirm),
    /// Bring a deleted account back from a backup, with its id
    #[command(
        long_about = "Bring a deleted account back from a backup, with its id: as it was when the backup was made, \
            with password, second factors, passkeys, identities, external id and metadata. It is a member again of \
            the organizations that are still there, and those that were deleted with it come back. Platform roles \
            and sessions do not. The service may run; applications get the events of a new account.\n\n\
            Example: doorward user recover 0197e0c2-7d4e-7b3a-9c51-2f8f6a1f5b7e --from doorward-backup.db"
    )]
    Recover(RecoverUser),
}

/// `doorward user two-factor …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum TwoFactorCommand {
    /// Remove the second factors and passkeys of a user who lost them, and end their sessions. Afterwards the
    /// password alone logs in: verify the requester first
    Reset(UserToConfirm),
}

/// Arguments of `doorward user create`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct CreateUser {
    /// Email address
    #[arg(value_name = "EMAIL", required_unless_present = "email_option")]
    pub(super) email: Option<String>,
    /// Email address, for scripts that name every argument
    #[arg(long = "email", value_name = "EMAIL", conflicts_with = "email")]
    pub(super) email_option: Option<String>,
    /// Username; derived from the email address if not given
    #[arg(long)]
    pub username: Option<String>,
    /// What the user is called, 1 to 100 characters
    #[arg(long)]
    pub name: Option<String>,
    /// Mark the email address as verified
    #[arg(long)]
    pub verified: bool,
    /// Platform role; repeatable
    #[arg(long = "role", value_name = "ROLE", value_parser = RoleParser)]
    pub roles: Vec<PlatformRole>,
    /// The application's own id of the account
    #[arg(long, value_name = "ID")]
    pub external_id: Option<String>,
    /// A JSON object of at most 4 KiB for the application, such as '{"plan":"gold"}'
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// Where the password comes from.
    #[command(flatten)]
    pub password: PasswordSource,
}

impl CreateUser {
    /// The email address, given by position or by option.
    pub fn email(&self) -> &str {
        self.email.as_deref().or(self.email_option.as_deref()).unwrap_or_default()
    }
}

/// Whose account, for what cannot be undone.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct UserToConfirm {
    /// Email address, username or id
    pub user: String,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}

/// Whose account, and which roles.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RolesOfUser {
    /// Email address, username or id
    pub user: String,
    /// Platform roles
    #[arg(required = true, value_name = "ROLE", value_parser = RoleParser)]
    pub roles: Vec<PlatformRole>,
}

/// Arguments of `doorward user set-password`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct SetPassword {
    /// Email address, username or id
    pub user: String,
    /// Where the password comes from.
    #[command(flatten)]
    pub password: PasswordSource,
}

/// Where a password comes from. Never an argument: arguments are visible to every process of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct PasswordSource {
    /// Read the password from the first line of standard input; otherwise one is generated and printed once
    #[arg(long = "password-stdin")]
    pub stdin: bool,
}

/// Whose account.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct UserArgument {
    /// Email address, username or id
    pub user: String,
}

/// Arguments of `doorward user list`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ListUsers {
    /// Beginning of the email address or username, at least 3 characters, or a full id
    #[arg(value_name = "SEARCH", value_parser = parse_search)]
    pub search: Option<Search>,
    /// Only accounts in this state
    #[arg(long, value_name = "STATE", value_parser = state_parser())]
    pub state: Option<UserState>,
    /// Only accounts with this platform role
    #[arg(long, value_name = "ROLE", value_parser = RoleParser)]
    pub role: Option<PlatformRole>,
    /// Which page
    #[command(flatten)]
    pub range: PageArguments,
}

/// The states, with their names and what they mean.
const STATES: [(UserState, &str, &str); 3] = [
    (UserState::Active, "active", "Not disabled"),
    (UserState::Disabled, "disabled", "Disabled by an operator"),
    (UserState::Unverified, "unverified", "With an unverified email address"),
];

fn state_parser() -> impl TypedValueParser<Value = UserState> {
    PossibleValuesParser::new(STATES.map(|(_, name, help)| PossibleValue::new(name).help(help))).try_map(|word| {
        let found = STATES.into_iter().find(|(_, name, _)| *name == word);
        found.map(|(state, ..)| state).ok_or("not a state")
    })
}

fn parse_search(text: &str) -> Result<Search, String> {
    match Search::parse(text) {
        Search::Prefix(prefix) if prefix.chars().count() < Search::MIN_CHARS => {
            Err(format!("a search has at least {} characters", Search::MIN_CHARS))
        }
        search => Ok(search),
    }
}

/// Arguments of `doorward user set-email`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct SetEmail {
    /// Email address, username or id
    pub user: String,
    /// The new email address
    pub email: String,
    /// Mark it as verified; otherwise a new address is unverified
    #[arg(long)]
    pub verified: bool,
}

/// `doorward user sessions …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SessionsCommand {
    /// List the active sessions of an account, newest first
    List(UserArgument),
    /// Revoke one or all sessions of an account
    Revoke(RevokeSessions),
}

/// Arguments of `doorward user sessions revoke`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RevokeSessions {
    /// Email address, username or id
    pub user: String,
    /// Id of the session, as `doorward user sessions list` shows it
    #[arg(value_name = "SESSION", required_unless_present = "all")]
    pub session: Option<Uuid>,
    /// Revoke all sessions of the account
    #[arg(long, conflicts_with = "session")]
    pub all: bool,
}

/// Arguments of `doorward user recover`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RecoverUser {
    /// Id of the deleted account, as `doorward user delete` printed it and `doorward user audit` shows it
    pub id: Uuid,
    /// The backup: the file that `doorward backup` wrote; for PostgreSQL the postgres:// URL of a database of its own into
    /// which `pg_restore` has put the dump
    #[arg(long, value_name = "BACKUP")]
    pub from: String,
}

/// `doorward user identities …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum IdentitiesCommand {
    /// List the identities of an account at providers, oldest first
    List(UserArgument),
    /// Remove an identity from an account, even if it is the last login method: the user then needs another, such
    /// as an emailed link to set a password
    Remove(RemoveIdentity),
}

/// Arguments of `doorward user identities remove`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RemoveIdentity {
    /// Email address, username or id
    pub user: String,
    /// Id of the identity, as `doorward user identities list` shows it, or its provider
    #[arg(value_name = "ID")]
    pub identity: String,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}
