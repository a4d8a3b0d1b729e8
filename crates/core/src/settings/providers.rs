//! Login with others: where their buttons stand, the file of providers, and which inner servers may be asked.

use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::{DefaultValue, Exposure, SettingsGroup, Spec};
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

static PLACE: Spec = Spec {
    suffix: "PROVIDERS_PLACE",
    kind: "above or below",
    default: DefaultValue::Fixed("below"),
    exposure: Exposure::Public,
    meaning: "Whether the buttons of providers stand above or below the form of login and signup.",
};

static APPLY_FILE: Spec = Spec {
    suffix: "APPLY_FILE",
    kind: "path of a TOML file",
    default: DefaultValue::Unset("none"),
    exposure: Exposure::Public,
    meaning: "File of providers that each start applies, as `doorward apply` does, without removing any. A wrong file \
        stops the start.",
};

static OUTBOUND_ALLOW: Spec = Spec {
    suffix: "OUTBOUND_ALLOW",
    kind: "list of networks (CIDR)",
    default: DefaultValue::Unset("none"),
    exposure: Exposure::Public,
    meaning: "Inner networks in which servers may stand that the metadata of a provider name, such as its token \
        endpoint. The host of a provider's issuer needs none: the operator has named it.",
};

pub(super) static SECTION: SettingsGroup =
    SettingsGroup { title: "Login with others", settings: &[&PLACE, &APPLY_FILE, &OUTBOUND_ALLOW] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<ProviderSettings> {
    let places = [("above", ProvidersPlace::Above), ("below", ProvidersPlace::Below)];
    let place = reader.required(&PLACE, parse::one_of(&places));
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
