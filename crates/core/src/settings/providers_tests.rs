use super::ProvidersPlace;
use crate::settings::testing::{refused, settings};
use std::path::Path;

#[test]
fn buttons_stand_below_unless_told_otherwise() {
    assert_eq!(settings(&[]).providers.place, ProvidersPlace::Below);
    assert_eq!(settings(&[("PROVIDERS_PLACE", "above")]).providers.place, ProvidersPlace::Above);
    refused("PROVIDERS_PLACE", &["top", "Above"], "above");
}

#[test]
fn networks_and_file_are_read() {
    let given = settings(&[("OUTBOUND_ALLOW", "10.1.2.3/8, 192.0.2.1,fd00::/8"), ("APPLY_FILE", "providers.toml")]);
    let networks: Vec<_> = given.providers.outbound_allow.iter().map(ToString::to_string).collect();
    assert_eq!(networks, ["10.0.0.0/8", "192.0.2.1/32", "fd00::/8"]);
    assert_eq!(given.providers.apply_file.as_deref(), Some(Path::new("providers.toml")));
    assert!(settings(&[]).providers.outbound_allow.is_empty());
    refused("OUTBOUND_ALLOW", &["10.0.0.0/33", "localhost", "10.0.0.0/8;::1"], "a comma-separated list");
}
