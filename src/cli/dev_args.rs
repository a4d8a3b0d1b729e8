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
    /// Run an application that answers with the headers it gets, for `doorward doctor --app`
    #[command(
        long_about = "Run an application on this machine that answers every request with the headers it gets, under the \
        names that CGI gives them. In the place of an application behind the gate it shows, together with `doorward \
        doctor --app URL`, whether the proxy lets a visitor's headers through under the gate's names. Cookies and \
        Authorization are left out."
    )]
    Echo(DevEcho),
}

/// Arguments of `doorward dev echo`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct DevEcho {
    /// Port on the loopback address
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
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
