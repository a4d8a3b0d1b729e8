//! The arguments of `doorward user audit`. Doc comments here are the help text.

use super::page::PageArguments;
use crate::model::audit::AuditKind;
use crate::model::time::Time;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Arguments of `doorward user audit`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct UserAudit {
    /// Email address, username or id, of a deleted account or an organization too; or an actor: operator, unknown,
    /// key:NAME, also where an account is called so
    pub user: Option<String>,
    /// Only entries of this kind
    #[arg(long, value_parser = kind_parser(), hide_possible_values = true)]
    pub kind: Option<AuditKind>,
    /// Only entries of this time or later, such as 2026-07-01T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub since: Option<Time>,
    /// Only entries from before this time
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub until: Option<Time>,
    /// Print every entry, a line each, instead of a page
    #[arg(long, conflicts_with_all = ["limit", "after"])]
    pub all: bool,
    /// Which page
    #[command(flatten)]
    pub range: PageArguments,
}

fn kind_parser() -> impl TypedValueParser<Value = AuditKind> {
    PossibleValuesParser::new(AuditKind::ALL.map(AuditKind::as_str))
        .try_map(|word| AuditKind::parse(&word).ok_or("not a kind"))
}

fn parse_time(text: &str) -> Result<Time, &'static str> {
    Time::parse(text).ok_or("a time is expected, such as 2026-07-01T00:00:00Z")
}
