//! The arguments of `doorward backup` and `doorward restore`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `doorward backup`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Backup {
    /// The file to write; an existing one is not overwritten
    #[arg(value_name = "FILE", required_unless_present_any = ["record", "password"])]
    pub file: Option<PathBuf>,
    /// Also write the secret key to FILE.key; with both files, anyone can forge sessions
    #[arg(long)]
    pub with_key: bool,
    /// Only record a backup that was made by other means, for the alert on backups
    #[arg(long, conflicts_with_all = ["file", "with_key"])]
    pub record: bool,
    /// Only print the password in the URL of a PostgreSQL database, for PGPASSWORD
    #[arg(long, conflicts_with_all = ["file", "with_key", "record"])]
    pub password: bool,
}

/// Arguments of `doorward restore`.
#[expect(clippy::struct_excessive_bools, reason = "options of a command line")]
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Restore {
    /// The backup
    #[arg(value_name = "FILE", required_unless_present = "loaded")]
    pub file: Option<PathBuf>,
    /// Keep the sessions and unused links of the backup
    #[arg(long)]
    pub keep_sessions: bool,
    /// Also copy the key from FILE.key to the data directory, unless it has one
    #[arg(long)]
    pub with_key: bool,
    /// PostgreSQL, after the dump is loaded: end the sessions and invalidate the links of the backup
    #[arg(long, conflicts_with_all = ["file", "keep_sessions", "with_key"])]
    pub loaded: bool,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}
