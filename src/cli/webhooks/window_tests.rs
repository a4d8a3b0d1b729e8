#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use serde_json::Value;

fn json(variables: &[(&str, &str)]) -> Value {
    let mut out = Vec::new();
    let environment: Environment = variables.iter().copied().collect();
    window(&ServiceName::parse("svc").unwrap(), &environment, &mut Output::new(&mut out, true)).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn text(variables: &[(&str, &str)]) -> String {
    let mut out = Vec::new();
    let environment: Environment = variables.iter().copied().collect();
    window(&ServiceName::parse("svc").unwrap(), &environment, &mut Output::new(&mut out, false)).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn default_retries_survive_150_seconds() {
    let json = json(&[]);
    assert_eq!(json["survived_outage_seconds"], 150.0);
    assert_eq!(json["given_up_after_seconds"], 165.0);
    assert_eq!(json["attempts"].as_array().unwrap().len(), 3);
    assert_eq!(json["attempts"][2]["begins_after_seconds_with_timeouts"], 160.0);
    let text = text(&[]);
    assert!(text.contains("shorter than 2m30s") && text.contains("given up after 2m45s"), "{text}");
}

#[test]
fn last_retry_delay_repeats() {
    let json = json(&[("SVC_WEBHOOK_RETRY_DELAYS", "1s,1m"), ("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "5")]);
    assert_eq!(json["attempts"][3]["begins_after_seconds"], 121.0);
    assert_eq!(json["survived_outage_seconds"], 181.0);
}

#[test]
fn single_attempt_survives_no_outage() {
    let text = text(&[("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "1")]);
    assert!(text.contains("only one attempt"), "{text}");
}

#[test]
fn table_of_many_attempts_is_truncated() {
    let most = [("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "4294967295"), ("SVC_WEBHOOK_RETRY_DELAYS", "876000h")];
    let rows = json(&most)["attempts"].as_array().unwrap().len();
    assert_eq!(rows, 51);
    assert!(text(&most).contains('…'));
}

#[test]
fn invalid_settings_are_refused() {
    let environment: Environment = [("SVC_WEBHOOK_TIMEOUT", "5")].into_iter().collect();
    let mut out = Vec::new();
    let name = ServiceName::parse("svc").unwrap();
    let refused = window(&name, &environment, &mut Output::new(&mut out, true));
    assert!(matches!(refused, Err(Failure::Operator(text)) if text.contains("SVC_WEBHOOK_TIMEOUT")));
}
