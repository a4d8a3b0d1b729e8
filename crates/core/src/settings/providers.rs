//! Login with others: where their buttons stand, the file of providers, and which inner servers may be asked.

use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::section;
use ipnet::IpNet;
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvidersPlace {
    Above,
    Below,
}

/// Buttons, the file of providers, inner servers.
#[derive(Debug)]
pub struct ProviderSettings {
    pub place: ProvidersPlace,
    /// The file that each start applies.
    pub apply_file: Option<PathBuf>,
    /// Inner addresses that servers named by others may have.
    pub outbound_allow: Vec<IpNet>,
}

section! { "Login with others";
    PROVIDERS_PLACE: "above or below", Fixed("below"), Public,
        "Whether the buttons of providers are above or below the form of login and signup.";
    APPLY_FILE: "path of a TOML file", Unset("none"), Public,
        "File of providers that each start applies, as `doorward apply` does, without removing any. An invalid file \
        stops the start.";
    OUTBOUND_ALLOW: "list of networks (CIDR)", Unset("none"), Public,
        "Internal networks where a provider's metadata may place servers, such as the token endpoint. The host of a \
        provider's issuer is always allowed, because the operator has set it.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<ProviderSettings> {
    let places = [("above", ProvidersPlace::Above), ("below", ProvidersPlace::Below)];
    let place = reader.required(&PROVIDERS_PLACE, parse::one_of(&places));
    let apply_file = reader.optional(&APPLY_FILE, |text| Ok::<_, InvalidValue>(PathBuf::from(text)));
    let outbound_allow = reader.optional(&OUTBOUND_ALLOW, |text| parse::list(text, network));
    Ok(ProviderSettings { place: place?, apply_file: apply_file?, outbound_allow: outbound_allow?.unwrap_or_default() })
}

fn network(text: &str) -> Result<IpNet, InvalidValue> {
    let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    network
        .map(|network| network.trunc())
        .ok_or_else(|| "a comma-separated list of networks and addresses, such as 10.0.0.0/8, fd00::/8".into())
}

#[cfg(test)]
#[path = "providers_tests.rs"]
mod tests;
