#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::oidc::testing::{NOW, TENANT, provider};
use serde_json::json;

const ISSUER: &str = "https://id.example";
const OTHER_TENANT: &str = "00000000-0000-0000-0000-000000000007";

fn secrets() -> ReturnSecrets {
    let text = format!("{}.{}", "v".repeat(42) + "A", "n".repeat(42) + "A");
    ReturnSecrets::parse(&text).unwrap()
}

fn claims() -> PersonClaims {
    let now = NOW.as_seconds();
    let claims = json!({
        "iss": ISSUER, "aud": "client", "sub": "ada", "nonce": secrets().nonce(), "iat": now, "exp": now + 300,
    });
    claims.as_object().unwrap().clone()
}

fn with(changes: &[(&str, Value)]) -> SignedClaims {
    let mut claims = claims();
    for (name, value) in changes {
        if value.is_null() {
            claims.remove(*name);
        } else {
            claims.insert((*name).to_owned(), value.clone());
        }
    }
    SignedClaims { claims, key_issuer: None }
}

fn checked(signed: &SignedClaims) -> Result<TokenSubject, ProviderFault> {
    check(signed, &provider(ProviderKind::Oidc, ISSUER), &secrets(), NOW)
}

fn of(issuer: &str, subject: &str) -> TokenSubject {
    TokenSubject { issuer: issuer.to_owned(), subject: subject.to_owned() }
}

#[test]
fn right_claims_name_the_person() {
    assert_eq!(checked(&with(&[])), Ok(of(ISSUER, "ada")));
    let now = NOW.as_seconds();
    let also_right = [
        with(&[("aud", json!(["client"]))]),
        with(&[("aud", json!(["other", "client"])), ("azp", json!("client"))]),
        with(&[("azp", json!("client"))]),
        with(&[("exp", json!(now - 120))]),
        with(&[("iat", json!(now + 120))]),
        with(&[("iat", json!(now - 100_000))]),
        with(&[("nbf", json!(now + 120))]),
        with(&[("exp", json!(f64::from(1_800_000_000) + 0.5)), ("iat", json!(1.8e9))]),
    ];
    for signed in also_right {
        assert_eq!(checked(&signed), Ok(of(ISSUER, "ada")), "{:?}", signed.claims);
    }
}

#[test]
fn each_wrong_claim_is_refused_with_its_cause() {
    use ProviderFault::{Audience, AuthorizedParty, Expired, Future, Missing, Nonce};
    let now = NOW.as_seconds();
    let several = ("aud", json!(["client", "other"]));
    let refused = [
        (with(&[("iss", Value::Null)]), Missing("iss")),
        (with(&[("iss", json!([ISSUER]))]), Missing("iss")),
        (with(&[("aud", Value::Null)]), Audience),
        (with(&[("aud", json!("other"))]), Audience),
        (with(&[("aud", json!([]))]), Audience),
        (with(&[("aud", json!(["other"]))]), Audience),
        (with(&[("aud", json!([["client"]]))]), Audience),
        (with(&[("aud", json!("client "))]), Audience),
        (with(std::slice::from_ref(&several)), AuthorizedParty),
        (with(&[several.clone(), ("azp", json!("other"))]), AuthorizedParty),
        (with(&[several, ("azp", json!(["client"]))]), AuthorizedParty),
        (with(&[("azp", json!("other"))]), AuthorizedParty),
        (with(&[("exp", Value::Null)]), Missing("exp")),
        (with(&[("exp", json!("9999999999"))]), Missing("exp")),
        (with(&[("exp", json!(now - 121))]), Expired),
        (with(&[("exp", json!(0))]), Expired),
        (with(&[("exp", json!(i64::MIN))]), Missing("exp")),
        (with(&[("iat", Value::Null)]), Missing("iat")),
        (with(&[("iat", json!(now + 121))]), Future),
        (with(&[("nbf", json!(now + 121))]), Future),
        (with(&[("nbf", json!("soon"))]), Missing("nbf")),
        (with(&[("nonce", Value::Null)]), Nonce),
        (with(&[("nonce", json!(""))]), Nonce),
        (with(&[("nonce", json!(secrets().verifier()))]), Nonce),
        (with(&[("nonce", json!([secrets().nonce()]))]), Nonce),
        (with(&[("sub", Value::Null)]), Missing("sub")),
        (with(&[("sub", json!(""))]), Missing("sub")),
        (with(&[("sub", json!(7))]), Missing("sub")),
        (with(&[("sub", json!("a\u{0}"))]), Missing("sub")),
        (with(&[("sub", json!("a".repeat(256)))]), Missing("sub")),
    ];
    for (signed, fault) in refused {
        assert_eq!(checked(&signed), Err(fault), "{:?}", signed.claims);
    }
    for issuer in ["https://id.example/", "https://ID.example", "https://other.example", ""] {
        let fault = ProviderFault::Issuer { found: issuer.to_owned(), expected: ISSUER.to_owned() };
        assert_eq!(checked(&with(&[("iss", json!(issuer))])), Err(fault));
    }
}

#[test]
fn key_serves_the_issuer_that_it_states() {
    let by = |key_issuer: &str| SignedClaims { key_issuer: Some(key_issuer.to_owned()), ..with(&[]) };
    assert!(checked(&by(ISSUER)).is_ok());
    for other in ["https://other.example", "https://id.example/", "", "{tenantid}"] {
        assert_eq!(checked(&by(other)), Err(ProviderFault::KeyIssuer(other.to_owned())));
    }
}

fn microsoft(tid: &str, issuer_tenant: &str) -> SignedClaims {
    let issuer = format!("{ISSUER}/{issuer_tenant}/v2.0");
    with(&[("tid", json!(tid)), ("iss", json!(issuer)), ("oid", json!("object")), ("sub", json!("pairwise"))])
}

fn checked_in(tenant: &str, signed: &SignedClaims) -> Result<TokenSubject, ProviderFault> {
    let provider =
        Provider { tenant: Tenant::parse(tenant).ok(), ..provider(ProviderKind::Microsoft, "https://id.example/") };
    check(signed, &provider, &secrets(), NOW)
}

#[test]
fn microsoft_issuer_is_that_of_a_permitted_tenant() {
    const CONSUMERS: &str = "9188040d-6c67-4c5b-b112-36a304b66dad";
    let right = |tid: &str| Ok(of(&format!("{ISSUER}/{tid}/v2.0"), "object"));
    let refused = |tid: &str| Err(ProviderFault::Tenant(tid.to_owned()));
    let permitted: [(&str, &[&str], &[&str]); 4] = [
        ("common", &[TENANT, OTHER_TENANT, CONSUMERS], &[]),
        ("organizations", &[TENANT, OTHER_TENANT], &[CONSUMERS]),
        ("consumers", &[CONSUMERS], &[TENANT]),
        (TENANT, &[TENANT], &[OTHER_TENANT, CONSUMERS]),
    ];
    for (tenant, permits, refuses) in permitted {
        for tid in permits {
            assert_eq!(checked_in(tenant, &microsoft(tid, tid)), right(tid), "{tenant}");
        }
        for tid in refuses {
            assert_eq!(checked_in(tenant, &microsoft(tid, tid)), refused(tid), "{tenant}");
        }
    }
    assert_eq!(checked_in("common", &microsoft("common", "common")), refused("common"));
    assert_eq!(checked_in("no tenant", &microsoft(TENANT, TENANT)), refused(TENANT));
    let without = |name| SignedClaims {
        claims: {
            let mut claims = microsoft(TENANT, TENANT).claims;
            claims.remove(name);
            claims
        },
        key_issuer: None,
    };
    assert_eq!(checked_in("common", &without("tid")), Err(ProviderFault::Missing("tid")));
    assert_eq!(checked_in("common", &without("oid")), Err(ProviderFault::Missing("oid")));
    for issuer_tenant in [OTHER_TENANT, "{tenantid}", "common", &TENANT.to_uppercase()] {
        let fault = checked_in("common", &microsoft(TENANT, issuer_tenant)).unwrap_err();
        assert!(matches!(fault, ProviderFault::Issuer { .. }), "{issuer_tenant}: {fault}");
    }
}

#[test]
fn microsoft_key_serves_its_tenants() {
    let by = |key_tenant: &str| SignedClaims {
        key_issuer: Some(format!("{ISSUER}/{key_tenant}/v2.0")),
        ..microsoft(TENANT, TENANT)
    };
    for key_tenant in ["{tenantid}", TENANT] {
        assert!(checked_in("common", &by(key_tenant)).is_ok());
    }
    // A key of personal accounts signs for no organization.
    assert!(matches!(checked_in("common", &by(OTHER_TENANT)), Err(ProviderFault::KeyIssuer(_))));
}
