#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::webhook_signature::hex_sha256;
use tokio::sync::oneshot;

const NOW: Time = Time::from_micros(1_800_000_000_000_000);

fn name() -> ServiceName {
    ServiceName::parse("acme").unwrap()
}

fn secrets(variables: &[(&str, &str)]) -> Secrets {
    Secrets::read(&name(), &variables.iter().copied().collect()).unwrap()
}

fn arrival(secret: &str, age: i64) -> Arrival {
    let timestamp = NOW.as_seconds() - age;
    let signer = StandardSigner::new([&SecretString::from(secret)]).unwrap();
    let headers = [
        ("x-acme-signature", hex_sha256(secret.as_bytes(), b"{}")),
        ("webhook-id", "evt_1".to_owned()),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", signer.sign("evt_1", timestamp, b"{}")),
    ];
    Arrival {
        path: "/".to_owned(),
        headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        body: b"{}".to_vec(),
        answer: oneshot::channel().0,
    }
}

fn judge(secrets: &Secrets, arrival: &Arrival) -> (&'static str, &'static str) {
    let verdicts = secrets.judge(&name(), arrival, NOW);
    (verdicts.hex.word(), verdicts.standard.word())
}

#[test]
fn both_signatures_are_checked() {
    let current = secrets(&[("ACME_WEBHOOK_SECRET", "s3cret")]);
    assert_eq!(judge(&current, &arrival("s3cret", 0)), ("ok", "ok"));
    assert_eq!(judge(&current, &arrival("another", 0)), ("wrong", "wrong"));
    assert_eq!(judge(&current, &arrival("s3cret", 301)), ("ok", "wrong"));
    assert_eq!(judge(&current, &arrival("s3cret", -301)), ("ok", "wrong"));
    let mut changed = arrival("s3cret", 0);
    changed.body = b"[]".to_vec();
    assert_eq!(judge(&current, &changed), ("wrong", "wrong"));
    let mut bare = arrival("s3cret", 0);
    bare.headers.clear();
    assert_eq!(judge(&current, &bare), ("wrong", "wrong"));
    assert!(current.judge(&name(), &bare, NOW).is_wrong());
}

#[test]
fn the_previous_secret_counts_for_the_standard_scheme() {
    let both = secrets(&[("ACME_WEBHOOK_SECRET", "new"), ("ACME_WEBHOOK_SECRET_PREVIOUS", "old")]);
    assert_eq!(judge(&both, &arrival("old", 0)), ("wrong", "ok"));
    assert_eq!(judge(&both, &arrival("new", 0)), ("ok", "ok"));
}

#[test]
fn without_a_secret_nothing_is_checked() {
    let none = secrets(&[("SVC_WEBHOOK_SECRET", "of another service")]);
    assert!(!none.is_given());
    assert_eq!(judge(&none, &arrival("s3cret", 0)), ("unchecked", "unchecked"));
}
