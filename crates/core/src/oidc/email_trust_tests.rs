#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::provider::Tenant;
use crate::oidc::testing::{TENANT, provider};
use EmailAssurance::{Claimed, Verified};
use serde_json::json;

fn assurance(provider: &Provider, claims: &Value) -> Option<EmailAssurance> {
    of_claims(provider, claims.as_object().unwrap()).map(|stated| {
        assert_eq!(Some(stated.address.as_str()), claims["email"].as_str());
        stated.assurance
    })
}

fn of(kind: ProviderKind) -> Provider {
    provider(kind, "https://id.example")
}

#[test]
fn address_is_worth_what_the_kind_vouches_for() {
    use ProviderKind::{Apple, GitHub, Google, Microsoft, Oidc};
    let gmail = |verified: Value| json!({ "email": "ada@gmail.com", "email_verified": verified });
    let hosted = |hd: Value| json!({ "email": "ada@Corp.example", "email_verified": true, "hd": hd });
    let plain = |name: &str, value: Value| json!({ "email": "ada@example.com", name: value });
    let cases = [
        (Google, gmail(json!(true)), Verified),
        (Google, gmail(json!("true")), Claimed),
        (Google, gmail(json!(false)), Claimed),
        (Google, json!({ "email": "ada@gmail.com" }), Claimed),
        (Google, json!({ "email": "ada@gmail.com", "hd": "gmail.com" }), Claimed),
        (Google, hosted(json!("corp.example")), Verified),
        (Google, hosted(json!("other.example")), Claimed),
        (Google, hosted(json!("example")), Claimed),
        (Google, hosted(json!("")), Claimed),
        (Google, hosted(json!(true)), Claimed),
        (Google, plain("email_verified", json!(true)), Claimed),
        (Google, json!({ "email": "ada@notgmail.com", "email_verified": true }), Claimed),
        (Google, json!({ "email": "ada@gmail.com@evil.example", "email_verified": true }), Claimed),
        (Apple, plain("email_verified", json!(true)), Verified),
        (Apple, plain("email_verified", json!("true")), Verified),
        (Apple, plain("email_verified", json!("false")), Claimed),
        (Apple, plain("email_verified", json!(1)), Claimed),
        (Apple, plain("is_private_email", json!("true")), Claimed),
        (Microsoft, plain("xms_edov", json!(true)), Verified),
        (Microsoft, plain("xms_edov", json!(1)), Verified),
        (Microsoft, plain("xms_edov", json!("1")), Verified),
        (Microsoft, plain("xms_edov", json!(false)), Claimed),
        (Microsoft, plain("xms_edov", json!(0)), Claimed),
        (Microsoft, plain("xms_edov", json!("true")), Claimed),
        (Microsoft, plain("email_verified", json!(true)), Claimed),
        (Oidc, plain("email_verified", json!(true)), Verified),
        (Oidc, plain("email_verified", json!("true")), Claimed),
        (Oidc, plain("email_verified", json!(1)), Claimed),
        (Oidc, plain("xms_edov", json!(true)), Claimed),
        (Oidc, json!({ "email": "ada@example.com" }), Claimed),
        (GitHub, plain("email_verified", json!(true)), Claimed),
    ];
    for (kind, claims, expected) in cases {
        assert_eq!(assurance(&of(kind), &claims), Some(expected), "{kind:?} {claims}");
        let never = Provider { email: EmailTrust::Never, ..of(kind) };
        assert_eq!(assurance(&never, &claims), Some(Claimed), "{kind:?} {claims}");
    }
}

#[test]
fn blanks_around_an_address_are_no_part_of_it() {
    let claims = json!({ "email": " b@corp.example\u{a0}\n", "email_verified": true });
    let stated = of_claims(&of(ProviderKind::Oidc), claims.as_object().unwrap()).unwrap();
    assert_eq!((stated.address.as_str(), stated.assurance), ("b@corp.example", Verified));
    let list = json!([{ "email": " b@corp.example ", "primary": true, "verified": true }]);
    assert_eq!(of_github(&of(ProviderKind::GitHub), &list).unwrap().address, "b@corp.example");
}

#[test]
fn trusted_provider_is_believed_where_the_operator_can_answer_for_it() {
    let trusted = |kind, tenant: Option<&str>| Provider {
        email: EmailTrust::Trusted,
        tenant: tenant.map(|tenant| Tenant::parse(tenant).unwrap()),
        ..of(kind)
    };
    let claims = json!({ "email": "ada@example.com", "email_verified": false });
    assert_eq!(assurance(&trusted(ProviderKind::Oidc, None), &claims), Some(Verified));
    assert_eq!(assurance(&trusted(ProviderKind::Microsoft, Some(TENANT)), &claims), Some(Verified));
    // No record has these.
    for provider in [
        trusted(ProviderKind::Microsoft, Some("common")),
        trusted(ProviderKind::Microsoft, None),
        trusted(ProviderKind::Google, None),
        trusted(ProviderKind::Apple, None),
    ] {
        assert_eq!(assurance(&provider, &claims), Some(Claimed), "{provider:?}");
    }
}

#[test]
fn address_comes_from_email_alone() {
    for claims in [
        json!({ "preferred_username": "ada@example.com", "upn": "ada@example.com", "email_verified": true }),
        json!({ "email": null, "email_verified": true }),
        json!({ "email": ["ada@example.com"], "email_verified": true }),
        json!({ "email": "", "email_verified": true }),
        json!({ "email": "ada", "email_verified": true }),
        json!({ "email": "ada@example.com\r\nBcc: x", "email_verified": true }),
        json!({ "email": "ada@example.com bob@example.com", "email_verified": true }),
        json!({ "email": format!("{}@example.com", "a".repeat(320)), "email_verified": true }),
    ] {
        assert_eq!(of_claims(&of(ProviderKind::Oidc), claims.as_object().unwrap()), None, "{claims}");
    }
}

#[test]
fn github_address_is_the_primary_one() {
    let entry = |email: &str, primary: bool, verified: bool| json!({ "email": email, "primary": primary, "verified": verified });
    let stated =
        |list: Value| of_github(&of(ProviderKind::GitHub), &list).map(|stated| (stated.address, stated.assurance));
    let noreply = "7+ada@users.noreply.github.com";
    let cases = [
        (json!([entry("a@x.example", false, true), entry("b@x.example", true, true)]), Some(("b@x.example", Verified))),
        (json!([entry("a@x.example", false, true), entry("b@x.example", true, false)]), Some(("b@x.example", Claimed))),
        (json!([entry(noreply, true, true)]), Some((noreply, Claimed))),
        (
            json!([entry("7+ada@USERS.noreply.GitHub.com", true, true)]),
            Some(("7+ada@USERS.noreply.GitHub.com", Claimed)),
        ),
        (json!([entry("a@x.example", false, true)]), None),
        (json!([{ "email": "a@x.example", "primary": "true", "verified": true }]), None),
        (json!([{ "email": "a@x.example", "primary": true }]), Some(("a@x.example", Claimed))),
        (json!([{ "primary": true, "verified": true }]), None),
        (json!([]), None),
        (json!({ "message": "Not Found" }), None),
        (Value::Null, None),
    ];
    for (list, expected) in cases {
        assert_eq!(
            stated(list.clone()),
            expected.map(|(address, assurance)| (address.to_owned(), assurance)),
            "{list}"
        );
    }
    let never = Provider { email: EmailTrust::Never, ..of(ProviderKind::GitHub) };
    let list = json!([entry("b@x.example", true, true)]);
    assert_eq!(of_github(&never, &list).map(|stated| stated.assurance), Some(Claimed));
}
