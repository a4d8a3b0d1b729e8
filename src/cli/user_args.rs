//! The arguments of `doorward user list` and `doorward user sessions`. Doc comments here are the help text.

use super::page::PageArguments;
use crate::domain::directory::search::Search;
use crate::model::roles::PlatformRole;
use crate::store::UserState;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
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
    /// The beginning of the email address or username, at least 3 characters; or a whole id
    #[arg(value_name = "SEARCH", value_parser = parse_search)]
    pub search: Option<Search>,
    /// Only accounts in this state
    #[arg(long, value_name = "STATE", value_parser = state_parser())]
    pub state: Option<UserState>,
    /// Only accounts with this platform role
    #[arg(long, value_name = "ROLE", value_parser = role_parser())]
    pub role: Option<PlatformRole>,
    /// Which page
    #[command(flatten)]
    pub range: PageArguments,
}

/// The states, with their names and what they mean.
const STATES: [(UserState, &str, &str); 3] = [
    (UserState::Active, "active", "Not disabled"),
    (UserState::Disabled, "disabled", "Disabled by an operator"),
    (UserState::Unverified, "unverified", "With an email address that was not verified"),
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
    /// Mark it as verified; without this, a new address is not
    #[arg(long)]
    pub verified: bool,
}

/// `doorward user sessions …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SessionsCommand {
    /// List the active sessions of an account, the newest first
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

/// `doorward user identities …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum IdentitiesCommand {
    /// List the accounts at providers that log in to an account, the oldest first
    List(UserArgument),
    /// Remove an account at a provider from an account, also the last way in: the user then needs another, such as a
    /// mailed link to set a password
    Remove(RemoveIdentity),
}

/// Arguments of `doorward user identities remove`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RemoveIdentity {
    /// Email address, username or id
    pub user: String,
    /// Id of the identity, as `doorward user identities list` shows it
    #[arg(value_name = "ID")]
    pub identity: Uuid,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}

pub(super) fn role_parser() -> impl TypedValueParser<Value = PlatformRole> {
    PossibleValuesParser::new(PlatformRole::ALL.map(PlatformRole::as_str))
        .try_map(|word| PlatformRole::parse(&word).ok_or("not a platform role"))
}
