#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::webhook_signature::hex_sha256;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::sync::oneshot;

const NOW: Time = Time::from_micros(1_800_000_000_000_000);

fn name() -> ServiceName {
    ServiceName::parse("acme").unwrap()
}

fn secrets(variables: &[(&str, &str)]) -> Secrets {
    Secrets::read(&name(), &variables.iter().copied().collect()).unwrap()
}

fn request(secret: &str, age: i64) -> ReceivedRequest {
    let timestamp = NOW.as_seconds() - age;
    let signer = StandardSigner::new([&WebhookSecret::parse(secret).unwrap()]);
    let headers = [
        ("x-acme-signature", hex_sha256(secret.as_bytes(), b"{}")),
        ("webhook-id", "evt_1".to_owned()),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", signer.sign("evt_1", timestamp, b"{}")),
    ];
    ReceivedRequest {
        path: "/".to_owned(),
        headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        body: b"{}".to_vec(),
        forwarded: None,
        answer: oneshot::channel().0,
    }
}

fn verify(secrets: &Secrets, request: &ReceivedRequest) -> (&'static str, &'static str) {
    let signature_checks = secrets.verify(&name(), request, NOW);
    (signature_checks.hex.verdict, signature_checks.standard.verdict)
}

#[test]
fn both_signatures_are_checked() {
    let current = secrets(&[("ACME_WEBHOOK_SECRET", "s3cret")]);
    assert_eq!(verify(&current, &request("s3cret", 0)), ("ok", "ok"));
    assert_eq!(verify(&current, &request("another", 0)), ("wrong", "wrong"));
    assert_eq!(verify(&current, &request("s3cret", 301)), ("ok", "wrong"));
    assert_eq!(verify(&current, &request("s3cret", -301)), ("ok", "wrong"));
    let mut changed = request("s3cret", 0);
    changed.body = b"[]".to_vec();
    assert_eq!(verify(&current, &changed), ("wrong", "wrong"));
    let mut bare = request("s3cret", 0);
    bare.headers.clear();
    assert_eq!(verify(&current, &bare), ("wrong", "wrong"));
    assert!(current.verify(&name(), &bare, NOW).is_wrong());
}

#[test]
fn previous_secret_is_accepted_for_standard_scheme_only() {
    let both = secrets(&[("ACME_WEBHOOK_SECRET", "new"), ("ACME_WEBHOOK_SECRET_PREVIOUS", "old")]);
    assert_eq!(verify(&both, &request("old", 0)), ("wrong", "ok"));
    assert_eq!(verify(&both, &request("new", 0)), ("ok", "ok"));
}

#[test]
fn secret_that_the_service_refuses_is_refused_here() {
    for (variable, value) in [("ACME_WEBHOOK_SECRET", "s3cret\n"), ("ACME_WEBHOOK_SECRET_PREVIOUS", "whsec_s3cret-_")] {
        let line = Secrets::read(&name(), &[(variable, value)].into_iter().collect()).err().unwrap().to_string();
        assert!(line.starts_with(&format!("{variable}: ")) && !line.contains("s3cret"), "{line}");
    }
}

#[test]
fn signatures_without_secret_are_unchecked() {
    let none = secrets(&[("SVC_WEBHOOK_SECRET", "of another service")]);
    assert!(!none.is_given());
    assert_eq!(verify(&none, &request("s3cret", 0)), ("unchecked", "unchecked"));
}

/// The request of a case for client libraries.
fn request_of(case: &Value) -> ReceivedRequest {
    let header = |(name, value): (&String, &Value)| (name.to_lowercase(), value.as_str().unwrap().to_owned());
    ReceivedRequest {
        path: "/".to_owned(),
        headers: case["headers"].as_object().unwrap().iter().map(header).collect(),
        body: STANDARD.decode(case["body"].as_str().unwrap()).unwrap(),
        forwarded: None,
        answer: oneshot::channel().0,
    }
}

#[test]
fn cases_for_libraries_are_judged_alike() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/conformance/webhooks.json");
    let file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 100);
    for case in cases {
        let given = case["secrets"].as_array().unwrap().iter().map(|secret| secret.as_str().unwrap());
        let variables = ["ACME_WEBHOOK_SECRET", "ACME_WEBHOOK_SECRET_PREVIOUS"].into_iter().zip(given);
        let secrets = Secrets::read(&name(), &variables.collect()).unwrap();
        let now = Time::from_micros(case["now"].as_i64().unwrap() * 1_000_000);
        let verdict = secrets.verify(&name(), &request_of(case), now).standard.verdict;
        let is_wrong = matches!(case["expect"]["error"].as_str(), Some("signature" | "timestamp"));
        assert_eq!(verdict, if is_wrong { "wrong" } else { "ok" }, "{case}");
    }
}
