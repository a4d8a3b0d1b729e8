//! The arguments of `doorward dev`. Doc comments here are the help text.

use clap::{Args, Subcommand};

/// `doorward dev …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum DevCommand {
    /// Open a session of a test account, which is made if there is none, and print its cookies
    #[command(
        long_about = "Open a session of a test account, without a login, and print its cookies. The account is made \
        if there is none with this email address; an account that was made otherwise is refused. Works only while the \
        base URL is on this machine, here and where the service last started.\n\n\
        Example: curl -H \"Cookie: $(doorward dev session ada@example.com)\" http://localhost:8080/auth/api/v1/user"
    )]
    Session(DevSessionOf),
}

/// Arguments of `doorward dev session`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct DevSessionOf {
    /// Email address of the test account
    pub email: String,
    /// Print a file of cookies, for `curl --cookie FILE`
    #[arg(long)]
    pub jar: bool,
}
