//! The arguments of `doorward user set-details`. Doc comments here are the help text.

use clap::{ArgGroup, Args};

/// Arguments of `doorward user set-details`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(group = ArgGroup::new("details").args(["external_id", "name", "metadata"]).required(true).multiple(true))]
pub struct SetDetails {
    /// Email address, username or id
    pub user: String,
    /// The application's own id of the account; empty removes it
    #[arg(long, value_name = "ID")]
    pub external_id: Option<String>,
    /// What the user is called, 1 to 100 characters; empty removes it
    #[arg(long)]
    pub name: Option<String>,
    /// A JSON object of at most 4 KiB for the application, in place of the one before; '{}' removes it
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
}
