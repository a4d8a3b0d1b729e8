//! The arguments of `doorward provider` and `doorward apply`. Doc comments here are the help text.

use crate::domain::provider::fields::ProviderFields;
use crate::model::provider::{EmailTrust, ProviderKind, ProviderMfa, ProviderName};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `doorward provider …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum ProviderCommand {
    /// Add a provider after the others, and print the redirect address to register there
    Add(Box<AddProvider>),
    /// List providers in the order of their buttons
    List,
    /// Show a provider, without its secret
    Show(ProviderArgument),
    /// Change a provider; fields that are not given stay
    Update(Box<UpdateProvider>),
    /// Test a provider's metadata, keys and client credentials
    Check(ProviderArgument),
    /// Remove a provider and end the sessions that it began; its accounts stay connected, in case it is added again
    Remove(RemoveProvider),
}

/// Arguments of `doorward provider add`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct AddProvider {
    /// Name in addresses: 1 to 32 of a-z, 0-9 and -
    #[arg(value_name = "NAME", value_parser = ProviderName::parse)]
    pub provider: ProviderName,
    /// Whose rules it follows; not needed where the name says so
    #[arg(long, value_parser = PossibleValuesParser::new(ProviderKind::ALL.map(ProviderKind::as_str)))]
    pub kind: Option<String>,
    /// What it says.
    #[command(flatten)]
    pub values: ProviderValues,
}

/// Arguments of `doorward provider update`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct UpdateProvider {
    /// Name of the provider
    #[arg(value_name = "NAME", value_parser = ProviderName::parse)]
    pub provider: ProviderName,
    /// What it says from now on.
    #[command(flatten)]
    pub values: ProviderValues,
}

/// What an operator says of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ProviderValues {
    /// Client id of this service at the provider
    #[arg(long, value_name = "ID")]
    pub client_id: Option<String>,
    /// File with the client's secret
    #[arg(long, value_name = "FILE", conflicts_with = "private_key_file")]
    pub client_secret_file: Option<PathBuf>,
    /// Exact issuer; for microsoft and github scheme and host. Required for oidc
    #[arg(long, value_name = "URL")]
    pub issuer: Option<String>,
    /// For microsoft: id of a tenant, common, organizations or consumers
    #[arg(long)]
    pub tenant: Option<String>,
    /// For apple: id of the team
    #[arg(long, value_name = "ID")]
    pub team_id: Option<String>,
    /// For apple: id of the key
    #[arg(long, value_name = "ID")]
    pub key_id: Option<String>,
    /// For apple: file with the key, as Apple offers it
    #[arg(long, value_name = "FILE")]
    pub private_key_file: Option<PathBuf>,
    /// Requested scopes, separated by spaces
    #[arg(long)]
    pub scopes: Option<String>,
    /// Text of the button after "Continue with"
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    /// Which addresses count as verified: by the rules of its kind, all, or none
    #[arg(long, value_parser = PossibleValuesParser::new(EmailTrust::ALL.map(EmailTrust::as_str)))]
    pub email: Option<String>,
    /// Whether to trust a second factor verified there
    #[arg(long, value_parser = PossibleValuesParser::new(ProviderMfa::ALL.map(ProviderMfa::as_str)))]
    pub mfa: Option<String>,
    /// Whether people without an account may sign up with it
    #[arg(long, value_parser = PossibleValuesParser::new(["on", "off"]))]
    pub signup: Option<String>,
}

impl ProviderValues {
    /// The fields, without the secret.
    pub(super) fn fields(&self, kind: Option<String>) -> ProviderFields {
        let given = self.clone();
        ProviderFields {
            kind,
            issuer: given.issuer,
            client_id: given.client_id,
            tenant: given.tenant,
            team_id: given.team_id,
            key_id: given.key_id,
            scopes: given.scopes,
            label: given.label,
            email: given.email,
            mfa: given.mfa,
            signup: given.signup,
        }
    }
}

/// Which provider.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ProviderArgument {
    /// Name of the provider
    #[arg(value_name = "NAME", value_parser = ProviderName::parse)]
    pub provider: ProviderName,
}

/// Arguments of `doorward provider remove`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RemoveProvider {
    /// Name of the provider
    #[arg(value_name = "NAME", value_parser = ProviderName::parse)]
    pub provider: ProviderName,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}

/// Arguments of `doorward apply`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ApplyFile {
    /// The file, in TOML
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Remove providers that are not in the file
    #[arg(long)]
    pub prune: bool,
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}
