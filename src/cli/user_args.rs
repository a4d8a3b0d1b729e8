//! The arguments of `doorward user list` and `doorward user sessions`. Doc comments here are the help text.

use crate::model::roles::PlatformRole;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use uuid::Uuid;

/// Whose account.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct UserArgument {
    /// Email address, username or id
    pub user: String,
}

/// Arguments of `doorward user list`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ListUsers {
    /// Part of the email address or username
    #[arg(value_name = "SEARCH")]
    pub search: Option<String>,
    /// Only accounts in this state
    #[arg(long, value_name = "STATE")]
    pub state: Option<UserState>,
    /// Only accounts with this platform role
    #[arg(long, value_name = "ROLE", value_parser = role_parser())]
    pub role: Option<PlatformRole>,
    /// Show at most this many accounts
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    pub limit: u32,
    /// Begin after this email address: the last one of the page before
    #[arg(long, value_name = "EMAIL")]
    pub after: Option<String>,
}

/// The state of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UserState {
    /// Not disabled
    Active,
    /// Disabled by an operator
    Disabled,
    /// With an email address that nobody has verified
    Unverified,
}

/// `doorward user sessions …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SessionsCommand {
    /// List the active sessions of an account, the latest used first
    List(UserArgument),
    /// Revoke a session of an account, or all of them
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

pub(super) fn role_parser() -> impl TypedValueParser<Value = PlatformRole> {
    PossibleValuesParser::new(PlatformRole::ALL.map(PlatformRole::as_str))
        .try_map(|word| PlatformRole::parse(&word).ok_or("not a platform role"))
}
