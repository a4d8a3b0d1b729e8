//! The arguments of `doorward api-key`. Doc comments here are the help text.

use super::page::PageArguments;
use crate::model::api_key::{ApiKeyName, Scope};
use crate::settings::duration;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use ipnet::IpNet;
use std::net::IpAddr;
use std::time::Duration;

/// `doorward api-key …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum ApiKeyCommand {
    /// Create an API key for an application's backend, and print it once
    Create(CreateApiKey),
    /// List the API keys, newest first
    List,
    /// Show the audit log of API keys: created, rotated, revoked, refused; newest first
    Audit(PageArguments),
    /// Revoke an API key; every process refuses it immediately
    Revoke(ApiKeyArgument),
    /// Create a key with the same name and scopes, and print it once; the old one expires after the overlap
    Rotate(RotateApiKey),
}

/// Arguments of `doorward api-key create`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct CreateApiKey {
    /// Name of the backend that uses the key; unique among live keys, and shown in the audit log
    #[arg(value_name = "NAME", value_parser = ApiKeyName::parse)]
    pub key_name: ApiKeyName,
    /// Permission of the key; repeatable, or a list
    #[arg(
        long = "scope", value_name = "SCOPE", required = true, num_args = 1.., value_delimiter = ',',
        value_parser = scope_parser()
    )]
    pub scopes: Vec<Scope>,
    /// Lifetime of the key, such as 2160h; otherwise it lasts until it is revoked
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub expires: Option<Duration>,
    /// Network from which the key may be used, such as 10.0.0.0/8; otherwise any
    #[arg(long = "from", value_name = "CIDR", num_args = 1.., value_delimiter = ',', value_parser = network)]
    pub networks: Vec<IpNet>,
}

/// Which API key.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ApiKeyArgument {
    /// Name of the key, or its id: its middle part, as `doorward api-key list` shows it
    #[arg(value_name = "NAME", value_parser = name_or_id)]
    pub key: String,
}

/// Arguments of `doorward api-key rotate`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RotateApiKey {
    /// Name or id of the key to replace
    #[arg(value_name = "NAME", value_parser = name_or_id)]
    pub key: String,
    /// How long the old key keeps working
    #[arg(long, value_name = "DURATION", default_value = "24h", value_parser = duration::parse)]
    pub overlap: Duration,
}

fn scope_parser() -> impl TypedValueParser<Value = Scope> {
    PossibleValuesParser::new(Scope::ALL.map(Scope::as_str)).try_map(|word| Scope::parse(&word).ok_or("not a scope"))
}

/// An address alone is a network of one.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    network.map(|network| network.trunc()).ok_or("a network is an address and a length, such as 10.0.0.0/8")
}

/// A whole key, which is longer than any name, is refused: it does not belong on a command line.
fn name_or_id(text: &str) -> Result<String, &'static str> {
    let refusal = "the name or the id of an API key is expected; never give the key itself";
    ApiKeyName::parse(text).map(|_| text.to_owned()).map_err(|_| refusal)
}
