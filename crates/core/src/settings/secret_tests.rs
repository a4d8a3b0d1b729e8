#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::settings::testing::{problem, refused, settings};

const ZEROS: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const ONES_URL_SAFE: &str = "__________________________________________8";

#[test]
fn sqlite_needs_no_key() {
    assert!(settings(&[]).secret_keys.is_none());
    assert!(settings(&[("SECRET_KEY", "  ")]).secret_keys.is_none(), "blank counts as unset");
}

#[test]
fn postgres_needs_key() {
    let line = problem(&[("DATABASE_URL", "postgres://db/app")]);
    assert!(line.starts_with("SVC_SECRET_KEY: is not set"), "{line}");
}

#[test]
fn single_key_needs_no_id() {
    let keys = settings(&[("SECRET_KEY", &format!(" {ZEROS}\n"))]).secret_keys.unwrap();
    assert_eq!((keys.len(), keys[0].id.as_deref(), *keys[0].key), (1, None, [0; 32]));
}

#[test]
fn multiple_keys_keep_their_order() {
    let keys = settings(&[("SECRET_KEY", &format!("new:{ONES_URL_SAFE}, old-1 : {ZEROS}"))]).secret_keys.unwrap();
    let ids: Vec<_> = keys.iter().map(|key| key.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["new", "old-1"]);
    assert_eq!((*keys[0].key, *keys[1].key), ([255; 32], [0; 32]));
    assert!(!format!("{keys:?}").contains("255"));
}

#[test]
fn invalid_keys_are_refused_and_redacted() {
    let list = |item: &str| format!("a:{ZEROS},{item}");
    refused(
        "SECRET_KEY",
        &["s3cret", "AAAA", &format!("{ZEROS}AAAA"), &format!("é:{ZEROS}"), &format!(":{ZEROS}")],
        "32 bytes",
    );
    refused("SECRET_KEY", &[&list(""), &list("b:AAAA"), &list("b:")], "32 bytes");
    refused("SECRET_KEY", &[&list(ZEROS)], "each needs an id");
    refused("SECRET_KEY", &[&list(&format!("a:{ONES_URL_SAFE}"))], "each id only once");
    let line = problem(&[("SECRET_KEY", "s3cret")]);
    assert!(!line.contains("s3cret") && line.contains("not shown"), "{line}");
}
