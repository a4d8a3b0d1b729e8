//! The arguments of `doorward user set-details`. Doc comments here are the help text.

use clap::Args;

/// Arguments of `doorward user set-details`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct SetDetails {
    /// Email address, username or id
    pub user: String,
    /// The application's own id of the account; empty removes it
    #[arg(long, value_name = "ID", required_unless_present = "metadata")]
    pub external_id: Option<String>,
    /// A JSON object of at most 4 KiB for the application, in place of the one before; '{}' removes it
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
}
