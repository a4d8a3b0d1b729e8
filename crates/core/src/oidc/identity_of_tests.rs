#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::super::testing::{TENANT, provider};
use super::*;
use crate::model::provider::Tenant;

#[test]
fn issuer_is_that_of_the_record_letter_by_letter() {
    let corp = provider(ProviderKind::Oidc, "https://id.example.com/");
    assert!(states_issuer(&corp, "https://id.example.com/"));
    assert!(!states_issuer(&corp, "https://id.example.com"));
    let github = provider(ProviderKind::GitHub, "https://github.com");
    assert!(states_issuer(&github, "https://github.com"));
    assert!(!states_issuer(&github, "https://github.com/login/oauth"));
}

#[test]
fn issuer_of_microsoft_has_a_permitted_tenant() {
    let mut microsoft = provider(ProviderKind::Microsoft, "https://login.microsoftonline.com");
    let issuer = format!("https://login.microsoftonline.com/{TENANT}/v2.0");
    let consumers = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0";
    for (tenant, of_company, of_consumer) in [
        (Some(Tenant::Common), true, true),
        (Some(Tenant::Organizations), true, false),
        (Some(Tenant::Consumers), false, true),
        (Some(Tenant::parse(TENANT).unwrap()), true, false),
        (None, false, false),
    ] {
        microsoft.tenant = tenant;
        assert_eq!(states_issuer(&microsoft, &issuer), of_company, "{tenant:?}");
        assert_eq!(states_issuer(&microsoft, consumers), of_consumer, "{tenant:?}");
    }
    microsoft.tenant = Some(Tenant::Common);
    for wrong in [&issuer.to_uppercase(), "https://login.microsoftonline.com", &format!("{issuer}/")] {
        assert!(!states_issuer(&microsoft, wrong), "{wrong}");
    }
}

#[test]
fn subject_has_the_form_of_its_kind() {
    let of = |kind: ProviderKind, subject: &str| states_subject(&provider(kind, "https://id.example.com"), subject);
    assert!(of(ProviderKind::Oidc, "ada") && of(ProviderKind::Google, &"1".repeat(255)));
    assert!(
        !of(ProviderKind::Oidc, "") && !of(ProviderKind::Oidc, "a\nb") && !of(ProviderKind::Oidc, &"1".repeat(256))
    );
    assert!(of(ProviderKind::GitHub, "583231"));
    assert!(
        !of(ProviderKind::GitHub, "octocat") && !of(ProviderKind::GitHub, "007") && !of(ProviderKind::GitHub, "+7")
    );
    assert!(of(ProviderKind::Microsoft, TENANT) && !of(ProviderKind::Microsoft, &TENANT.to_uppercase()));
}
