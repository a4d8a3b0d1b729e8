//! The arguments of `doorward dev`. Doc comments here are the help text.

use crate::settings::Origin;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Arguments of `doorward dev`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Dev {
    /// The service itself, without a command.
    #[command(flatten)]
    pub service: DevService,
    /// What to run instead.
    #[command(subcommand)]
    pub command: Option<DevCommand>,
}

/// Arguments of `doorward dev` without a command.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct DevService {
    /// Your application on this machine: logins end there, and its pages may ask who is logged in
    #[arg(long, value_name = "URL", value_parser = application)]
    pub app: Option<Application>,
    /// Port on the loopback address
    #[arg(long, default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
}

/// The URL of an application on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    pub url: String,
    pub origin: Origin,
}

fn application(url: &str) -> Result<Application, &'static str> {
    let origin = Origin::of_url(url).ok_or("a URL is expected, such as http://localhost:3000")?;
    if !origin.is_this_machine() {
        return Err("it is not on this machine; doorward serve is for others");
    }
    Ok(Application { url: url.to_owned(), origin })
}

/// `doorward dev …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum DevCommand {
    /// Open a session of a test account, which is created if needed, and print its cookies
    #[command(
        long_about = "Open a session of a test account, without a login, and print its cookies. Creates the account \
            if there is none with this email address; refuses accounts that were created in any other way. Works \
            only while the base URL is on this machine, here and where the service last started.\n\n\
            Example: curl -H \"Cookie: $(doorward dev session ada@example.com)\" \
            http://localhost:8080/auth/api/v1/user"
    )]
    Session(DevSessionOf),
    /// Run an application that returns the headers it receives, for `doorward doctor --app`
    #[command(
        long_about = "Run an application on this machine that answers every request with the headers it receives, \
            under their CGI names. Run it in place of an application behind the gate: together with `doorward doctor \
            --app URL` it shows whether the proxy forwards a visitor's headers under the gate's names. Leaves out \
            cookies and Authorization."
    )]
    Echo(DevEcho),
    /// Run a mock OpenID provider for testing
    #[command(
        long_about = "Run a mock OpenID provider on this machine, to test logins with a provider. It logs everyone \
            in as one of its people, without a password. Its first line prints the fields of its provider record as \
            JSON. `login_hint` with the address or `sub` of a person selects that person; otherwise a page has a \
            button for each. It is not reachable from other machines.\n\n\
            Example: doorward dev provider --port 4040"
    )]
    Provider(DevProvider),
}

/// Arguments of `doorward dev provider`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct DevProvider {
    /// Port on the loopback address; 0 picks a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// JSON file of its people, instead of ada and bob: `[{"sub", "email", "email_verified", "name"}]`
    #[arg(long, value_name = "FILE")]
    pub people: Option<PathBuf>,
    /// Fault to simulate
    #[arg(long, value_name = "NAME")]
    pub fault: Option<DevFault>,
}

/// A way in which the scripted provider behaves wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DevFault {
    /// The ID token is of another issuer
    Issuer,
    /// It calls itself by its issuer with a slash at the end, everywhere
    IssuerSlash,
    /// The ID token is for another client
    Audience,
    /// The ID token is for several clients, and was issued to another one
    Azp,
    /// The ID token has another nonce
    Nonce,
    /// The ID token is not signed
    AlgNone,
    /// The ID token is signed by HS256 with the public key as the secret
    AlgHs256,
    /// The ID token expired ten minutes ago
    Expired,
    /// The ID token was issued ten minutes in the future
    Future,
    /// The ID token is signed by a key that is not published
    UnknownKey,
    /// Two keys are published, and the ID token names neither
    TwoKeys,
    /// The answer's `iss` is another's
    IssParameter,
    /// The token endpoint does not answer
    TokenHangs,
    /// The token endpoint redirects
    TokenRedirects,
    /// The token endpoint answers with a gigabyte
    TokenHuge,
    /// The token endpoint answers with a page
    TokenHtml,
    /// The ID token has no address, and userinfo is about another person
    UserinfoSubject,
    /// It ends every connection without an answer
    Down,
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
    /// Print a cookie file, for `curl --cookie FILE`
    #[arg(long)]
    pub jar: bool,
}
