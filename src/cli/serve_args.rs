//! The arguments of `doorward serve`. Doc comments here are the help text.

use clap::Args;

/// Arguments of `doorward serve`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Serve {
    /// Run a double for the tests of an application, on this machine alone, of which nothing is left
    #[arg(long)]
    pub ephemeral: bool,
    /// Port of the double on the loopback address; without it, a free one
    #[arg(long, requires = "ephemeral")]
    pub port: Option<u16>,
    /// End the double when standard input closes, as it does however the tests end
    #[arg(long, requires = "ephemeral")]
    pub until_stdin_closes: bool,
}
