use super::*;
use crate::oidc::testing::{TENANT, provider};

const ISSUER: &str = "https://id.example";

fn code(kind: ProviderKind, returned: CallbackParams<'_>, promises: bool) -> Result<String, ProviderFault> {
    returned.code(&provider(kind, ISSUER), promises).map(str::to_owned)
}

fn with_issuer(iss: Option<&str>) -> CallbackParams<'_> {
    CallbackParams { code: Some("c"), iss, ..CallbackParams::default() }
}

#[test]
fn issuer_of_the_answer_counts_wherever_it_is_sent() {
    let other = |iss: &str| Err(ProviderFault::ReturnedIssuer(iss.to_owned()));
    for promises in [false, true] {
        assert_eq!(code(ProviderKind::Oidc, with_issuer(Some(ISSUER)), promises), Ok("c".to_owned()));
        for iss in ["https://id.example/", "https://other.example", ""] {
            assert_eq!(code(ProviderKind::Oidc, with_issuer(Some(iss)), promises), other(iss));
            let error = CallbackParams { error: Some("access_denied"), ..with_issuer(Some(iss)) };
            assert_eq!(code(ProviderKind::Oidc, error, promises), other(iss), "on errors too");
        }
    }
    assert_eq!(code(ProviderKind::Oidc, with_issuer(None), false), Ok("c".to_owned()));
    assert_eq!(code(ProviderKind::Oidc, with_issuer(None), true), Err(ProviderFault::ReturnedWithoutIssuer));
    let error = CallbackParams { error: Some("access_denied"), ..CallbackParams::default() };
    assert_eq!(code(ProviderKind::Oidc, error, true), Err(ProviderFault::ReturnedWithoutIssuer));
}

#[test]
fn microsoft_answer_is_of_the_tenant_of_the_token() {
    let (right, other) = (format!("{ISSUER}/{TENANT}/v2.0"), format!("{ISSUER}/{}/v2.0", Uuid::from_u128(7)));
    let template = format!("{ISSUER}/{{tenantid}}/v2.0");
    for iss in [&right, &other, &template] {
        assert!(code(ProviderKind::Microsoft, with_issuer(Some(iss)), false).is_ok());
    }
    for iss in [ISSUER, &format!("https://evil.example/{TENANT}/v2.0"), &format!("{right}/x"), &right.to_uppercase()] {
        assert!(code(ProviderKind::Microsoft, with_issuer(Some(iss)), false).is_err(), "{iss}");
    }
    let microsoft = provider(ProviderKind::Microsoft, ISSUER);
    for (iss, is_right) in [(&right, true), (&template, true), (&other, false)] {
        assert_eq!(with_issuer(Some(iss)).check_issuer(&microsoft, &right).is_ok(), is_right, "{iss}");
    }
}

#[test]
fn github_may_name_its_authorization_server() {
    for (iss, is_right) in [("", true), ("/login/oauth", true), ("/", false), (".evil.example", false)] {
        let iss = format!("{ISSUER}{iss}");
        assert_eq!(code(ProviderKind::GitHub, with_issuer(Some(&iss)), false).is_ok(), is_right, "{iss}");
    }
}

#[test]
fn error_wins_over_a_code_and_is_shortened() {
    let denied = |error: &str| {
        let returned = CallbackParams { code: Some("c"), error: Some(error), ..CallbackParams::default() };
        code(ProviderKind::Oidc, returned, false)
    };
    assert_eq!(denied("access_denied"), Err(ProviderFault::Denied("access_denied".to_owned())));
    for error in ["", "<script>", "a b", "ä", "a\nb", &"a".repeat(65)] {
        assert_eq!(denied(error), Err(ProviderFault::Denied("unreadable".to_owned())), "{error}");
    }
    for none in [None, Some("")] {
        let returned = CallbackParams { code: none, ..CallbackParams::default() };
        assert_eq!(code(ProviderKind::Oidc, returned, false), Err(ProviderFault::WithoutCode));
    }
}
