#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::provider::ProviderKind;
use crate::oidc::testing::{NOW, provider};
use serde_json::json;

fn claims(value: &Value) -> PersonClaims {
    value.as_object().unwrap().clone()
}

#[test]
fn two_kinds_of_methods_are_a_second_factor() {
    let trusting = Provider { mfa: ProviderMfa::Trust, ..provider(ProviderKind::Oidc, "https://id.example") };
    let asking = Provider { mfa: ProviderMfa::Ask, ..trusting.clone() };
    let counts = [
        json!(["mfa"]),
        json!(["pwd", "mfa"]),
        json!(["pwd", "otp"]),
        json!(["pin", "hwk"]),
        json!(["kba", "sms", "geo"]),
        json!(["fpt", "swk"]),
        json!(["pwd", "face"]),
        json!([7, "pwd", "tel"]),
    ];
    let counts_not = [
        json!([]),
        json!(["pwd"]),
        json!(["otp"]),
        json!(["pwd", "pin"]),
        json!(["otp", "hwk", "sms"]),
        json!(["face", "iris"]),
        json!(["PWD", "OTP"]),
        json!(["pwd", "mca"]),
        json!(["user", "rba", "wia", "geo"]),
        json!([["mfa"]]),
        json!("mfa"),
        json!("pwd otp"),
        json!({ "mfa": true }),
    ];
    for (methods, expected) in counts.iter().map(|amr| (amr, true)).chain(counts_not.iter().map(|amr| (amr, false))) {
        let claims = claims(&json!({ "amr": methods }));
        assert_eq!(second_factor(&trusting, &claims), expected, "{methods}");
        assert!(!second_factor(&asking, &claims), "the operator does not trust it: {methods}");
    }
    assert!(!second_factor(&trusting, &PersonClaims::new()));
}

#[test]
fn time_of_login_is_never_in_the_future() {
    let now = NOW.as_seconds();
    let at = |value: Value| authenticated_at(&claims(&json!({ "auth_time": value })), NOW);
    assert_eq!(at(json!(now)), Some(NOW));
    assert_eq!(at(json!(now - 3600)), Some(Time::from_micros((now - 3600) * 1_000_000)));
    assert_eq!(at(json!(0)), Some(Time::from_micros(0)));
    assert_eq!(at(json!(now + 120)), Some(NOW), "the clocks differ");
    for ignored in [json!(now + 121), json!(-1), json!(i64::MAX), json!(1e300), json!("1"), json!(null), json!([now])] {
        assert_eq!(at(ignored.clone()), None, "{ignored}");
    }
    assert_eq!(authenticated_at(&PersonClaims::new(), NOW), None);
}

#[test]
fn name_is_a_text_of_moderate_length() {
    let of = |value: Value| name(&claims(&json!({ "name": value })));
    assert_eq!(of(json!(" Ada Lovelace ")).as_deref(), Some("Ada Lovelace"));
    for none in [json!(""), json!("  "), json!(null), json!(["Ada"]), json!("a".repeat(1025))] {
        assert_eq!(of(none), None);
    }
}

#[test]
fn apple_name_is_put_together() {
    let of = |text: &str| name_of_apple(text);
    let full = r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"ada@example.com"}"#;
    assert_eq!(of(full).as_deref(), Some("Ada Lovelace"));
    assert_eq!(of(r#"{"name":{"firstName":"Ada"}}"#).as_deref(), Some("Ada"));
    assert_eq!(of(r#"{"name":{"lastName":"Lovelace"}}"#).as_deref(), Some("Lovelace"));
    let long = format!(r#"{{"name":{{"firstName":"Ada"}},"x":"{}"}}"#, "a".repeat(MAX_USER_FIELD_BYTES));
    for none in ["", "{}", "[]", r#"{"name":{}}"#, r#"{"name":"Ada"}"#, r#"{"name":{"firstName":7}}"#, &long] {
        assert_eq!(of(none), None);
    }
}
