use super::super::testing::{REDIRECT, TestProvider, answer, json_answer, metadata_json};
use super::*;
use crate::oidc::MetadataFault;
use serde_json::json;

async fn check(test: &TestProvider, kind: ProviderKind) -> ProviderCheck {
    test.client().check(&test.provider(kind), Some(&SecretString::from("s")), REDIRECT).await
}

fn refuses(test: &TestProvider, status: &str, error: &str) {
    test.answers.lock().token = Some(answer(status, "", &json!({ "error": error }).to_string()));
}

fn refused(code: &str) -> Result<(), ProviderFault> {
    Err(ProviderFault::Refused { asked: Asked::Token, code: code.to_owned(), description: None })
}

#[tokio::test]
async fn wrong_code_shows_that_the_client_is_known() {
    let test = TestProvider::start().await;
    refuses(&test, "400 Bad Request", "invalid_grant");
    let found = check(&test, ProviderKind::Oidc).await;
    assert_eq!((found.documents, found.client), (Ok(()), Some(Ok(()))));
    refuses(&test, "401 Unauthorized", "invalid_client");
    assert_eq!(check(&test, ProviderKind::Oidc).await.client, Some(refused("invalid_client")));
    test.answers.lock().token = Some(json_answer(&json!({ "id_token": "any" })));
    let client = check(&test, ProviderKind::Oidc).await.client;
    assert_eq!(client, Some(Err(ProviderFault::Malformed(Asked::Token))), "a code that was never given has no tokens");
    assert_eq!(test.server.requests("/keys").len(), 3, "nothing is kept");
    let provider = test.provider(ProviderKind::Oidc);
    let found = test.client().check(&provider, None, REDIRECT).await;
    assert_eq!((found.documents, found.client), (Ok(()), None));
    assert_eq!(test.server.requests("/token").len(), 3);
}

#[tokio::test]
async fn github_is_asked_for_a_token_alone() {
    let test = TestProvider::start().await;
    for (error, client) in [
        ("bad_verification_code", Ok(())),
        ("incorrect_client_credentials", refused("incorrect_client_credentials")),
        ("redirect_uri_mismatch", refused("redirect_uri_mismatch")),
    ] {
        refuses(&test, "200 OK", error);
        let found = check(&test, ProviderKind::GitHub).await;
        assert_eq!((found.documents, found.promises_pkce, found.client), (Ok(()), None, Some(client)));
    }
    assert_eq!(test.server.requests("/.well-known/openid-configuration").len(), 0);
}

#[tokio::test]
async fn metadata_tell_of_pkce_and_of_another_issuer() {
    let test = TestProvider::start().await;
    refuses(&test, "400 Bad Request", "invalid_grant");
    assert_eq!(check(&test, ProviderKind::Oidc).await.promises_pkce, Some(false));
    let mut metadata = metadata_json(&test.server.origin);
    for (methods, promises) in [(json!(["plain"]), false), (json!(["plain", "S256"]), true)] {
        metadata["code_challenge_methods_supported"] = methods;
        test.answers.lock().metadata = Some(json_answer(&metadata));
        assert_eq!(check(&test, ProviderKind::Oidc).await.promises_pkce, Some(promises));
    }
    let found = format!("{}/", test.server.origin);
    metadata["issuer"] = json!(found);
    test.answers.lock().metadata = Some(json_answer(&metadata));
    let examined = check(&test, ProviderKind::Oidc).await;
    let fault = MetadataFault::Issuer { found, expected: test.server.origin.clone() };
    assert_eq!((examined.documents, examined.client), (Err(fault.into()), None));
}

#[tokio::test]
async fn clocks_are_compared_by_the_date_of_an_answer() {
    let test = TestProvider::start().await;
    refuses(&test, "400 Bad Request", "invalid_grant");
    assert_eq!(check(&test, ProviderKind::Oidc).await.clock_difference, None);
    let body = metadata_json(&test.server.origin).to_string();
    // 2027-01-15, and the same a day later in a cache.
    for (headers, date) in [
        ("Date: Fri, 15 Jan 2027 08:00:00 GMT\r\n", 1_800_000_000),
        ("Date: Fri, 15 Jan 2027 08:00:00 GMT\r\nAge: 86400\r\n", 1_800_086_400),
    ] {
        test.answers.lock().metadata = Some(answer("200 OK", headers, &body));
        let now = test.clock.now();
        let found = check(&test, ProviderKind::Oidc).await.clock_difference.unwrap_or_default();
        let expected = u64::try_from(date - now.as_seconds()).map_or(Duration::ZERO, Duration::from_secs);
        assert!(found.abs_diff(expected) < Duration::from_secs(30), "{found:?} {expected:?}");
    }
}
