//! The arguments of `doorward completions` and `doorward man`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Arguments of `doorward completions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Arguments of `doorward man`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ManPages {
    /// The directory; created if it is missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}
