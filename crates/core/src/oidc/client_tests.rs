#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::id_token::IdTokenError;
use crate::crypto::scripted_token::{ScriptedKey, ScriptedSignature};
use crate::crypto::test_keys::published_signing_key;
use crate::model::signing::SigningAlgorithm;
use crate::oidc::email_trust::{EmailAssurance, StatedAddress};
use crate::oidc::testing::{REDIRECT, Server, TENANT, TestProvider, answer, json_answer, metadata_json};
use crate::outbound::{ExternalError, Unanswered};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

fn stated(address: &str, assurance: EmailAssurance) -> StatedAddress {
    StatedAddress { address: address.to_owned(), assurance }
}

fn with(mut claims: Value, name: &str, to: Value) -> Value {
    claims[name] = to;
    claims
}

#[tokio::test]
async fn login_ends_with_the_person() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Oidc);
    let authorization = test.client().authorization_request(&provider, REDIRECT, None).await.unwrap();
    assert!(authorization.address.starts_with(&format!("{}/authorize?response_type=code&", test.server.origin)));
    test.says(&with(test.claims(), "auth_time", json!(1000)));
    let expected = ProviderProfile {
        issuer: test.server.origin.clone(),
        subject: "ada".to_owned(),
        email: Some(stated("ada@example.com", EmailAssurance::Verified)),
        name: Some("Ada".to_owned()),
        second_factor: false,
        authenticated_at: Some(crate::model::time::Time::from_micros(1_000_000_000)),
    };
    assert_eq!(test.log_in(&provider).await, Ok(expected));
    let requests = test.server.requests("/token");
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /token HTTP/1.1\r\n"), "{head}");
    let credentials = format!("authorization: Basic {}", STANDARD.encode("client:s3cret%2B%2F%3A"));
    assert!(head.contains(&credentials) && head.contains("content-type: application/x-www-form-urlencoded"), "{head}");
    let (redirect, verifier) =
        ("https%3A%2F%2Flogin.example%2Fauth%2Flogin%2Fwith%2Fcorp%2Freturn", test.secrets.verifier());
    let expected =
        format!("grant_type=authorization_code&code=the%20code&redirect_uri={redirect}&code_verifier={verifier}");
    assert_eq!(body, expected);
    assert_eq!(test.server.requests("/userinfo").len(), 0, "the address was there");
}

#[tokio::test]
async fn secret_goes_in_the_form_where_nothing_else_is_offered() {
    let test = TestProvider::start().await;
    let methods = json!(["client_secret_post"]);
    let metadata = with(metadata_json(&test.server.origin), "token_endpoint_auth_methods_supported", methods);
    test.answers.lock().metadata = Some(json_answer(&metadata));
    test.says(&test.claims());
    test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap();
    let request = test.server.requests("/token").remove(0);
    assert!(request.ends_with("&client_id=client&client_secret=s3cret%2B%2F%3A"), "{request}");
    assert!(!request.contains("authorization:"), "{request}");
}

#[tokio::test]
async fn client_that_is_refused_in_one_place_shows_its_secret_in_the_other() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Oidc);
    let methods = json!(["client_secret_basic", "client_secret_post"]);
    let metadata = with(metadata_json(&test.server.origin), "token_endpoint_auth_methods_supported", methods);
    test.answers.lock().metadata = Some(json_answer(&metadata));
    let sent = || {
        let is_form = |request: &String| request.contains("&client_secret=") && !request.contains("authorization:");
        test.server.requests("/token").iter().map(is_form).collect::<Vec<_>>()
    };
    let error = |status, error: &str| Some(answer(status, "", &json!({ "error": error }).to_string()));
    // Refused in both: the header stays the first.
    test.answers.lock().token = error("401 Unauthorized", "invalid_client");
    assert!(test.log_in(&provider).await.is_err());
    assert!(test.log_in(&provider).await.is_err());
    assert_eq!(sent(), [false, true, false, true]);
    // Another error, or none, is no reason to ask again.
    test.answers.lock().token = error("400 Bad Request", "invalid_grant");
    assert!(test.log_in(&provider).await.is_err());
    assert_eq!(sent().len(), 5);
    for (status, code) in [
        ("401 Unauthorized", "invalid_client"),
        ("403 Forbidden", "unauthorized_client"),
        ("401 Unauthorized", "access_denied"),
    ] {
        let fresh = TestProvider::start().await;
        let metadata = with(metadata.clone(), "issuer", json!(fresh.server.origin.clone()));
        let metadata = metadata.to_string().replace(&test.server.origin, &fresh.server.origin);
        fresh.answers.lock().metadata = Some(answer("200 OK", "", &metadata));
        fresh.says(&fresh.claims());
        fresh.answers.lock().token_of_header = error(status, code);
        let provider = fresh.provider(ProviderKind::Oidc);
        fresh.log_in(&provider).await.unwrap();
        assert_eq!(fresh.server.requests("/token").len(), 2, "{code}");
        // What was taken comes first from now on.
        fresh.log_in(&provider).await.unwrap();
        assert_eq!(fresh.server.requests("/token").len(), 3, "{code}");
    }
}

#[tokio::test]
async fn metadata_and_keys_are_kept() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Oidc);
    test.says(&test.claims());
    for _ in 0..3 {
        test.log_in(&provider).await.unwrap();
    }
    let fetches = || ["/.well-known/openid-configuration", "/keys"].map(|path| test.server.requests(path).len());
    assert_eq!(fetches(), [1, 1]);
    test.clock.advance(Duration::from_hours(1));
    test.says(&test.claims());
    test.log_in(&provider).await.unwrap();
    assert_eq!(fetches(), [2, 2]);
    // Both fail, and what was there stays good.
    test.clock.advance(Duration::from_hours(24));
    test.answers.lock().metadata = Some(answer("500 Internal Server Error", "", "down"));
    test.answers.lock().keys = Some(answer("200 OK", "", "<html>"));
    test.says(&test.claims());
    test.log_in(&provider).await.unwrap();
    assert_eq!(fetches(), [3, 3]);
    test.clock.advance(Duration::from_hours(1));
    test.says(&test.claims());
    let down = ProviderFault::Status { asked: Asked::Metadata, status: 500 };
    assert_eq!(test.log_in(&provider).await, Err(down));
}

#[tokio::test]
async fn unknown_key_is_asked_for_once_a_minute() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Oidc);
    let new = ScriptedKey::generate().unwrap();
    let token = |signature| json_answer(&json!({ "id_token": new.sign(&test.claims(), signature).unwrap() }));
    let fetches = || test.server.requests("/keys").len();
    let unknown = Err(ProviderFault::IdToken(IdTokenError::UnknownKey));
    test.answers.lock().token = Some(token(ScriptedSignature::Right));
    assert_eq!((test.log_in(&provider).await, fetches()), (unknown.clone(), 2));
    assert_eq!((test.log_in(&provider).await, fetches()), (unknown.clone(), 2));
    test.answers.lock().keys = Some(json_answer(&json!({ "keys": [test.key.jwk(), new.jwk()] })));
    assert_eq!((test.log_in(&provider).await, fetches()), (unknown, 2));
    test.clock.advance(Duration::from_mins(1));
    test.answers.lock().token = Some(token(ScriptedSignature::Right));
    assert!(test.log_in(&provider).await.is_ok());
    assert_eq!(fetches(), 3);
    // Without a name, two keys fit.
    test.answers.lock().token = Some(token(ScriptedSignature::Anonymous));
    assert_eq!(test.log_in(&provider).await, Err(ProviderFault::IdToken(IdTokenError::SeveralKeys)));
    // A provider with one key and no names has another one.
    test.answers.lock().keys = Some(json_answer(&json!({ "keys": [new.jwk()] })));
    test.clock.advance(Duration::from_hours(1));
    test.says(&test.claims());
    assert!(test.log_in(&provider).await.is_err());
    test.answers.lock().token = Some(token(ScriptedSignature::Anonymous));
    assert!(test.log_in(&provider).await.is_ok());
}

#[tokio::test]
async fn wrong_answers_of_the_token_endpoint_are_refused() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Oidc);
    let status = |status| ProviderFault::Status { asked: Asked::Token, status };
    let refused = |code: &str| ProviderFault::Refused { asked: Asked::Token, code: code.to_owned(), description: None };
    let large = ProviderFault::Unreachable { asked: Asked::Token, error: ExternalError::Large };
    let malformed = ProviderFault::Malformed(Asked::Token);
    let cases = [
        (answer("302 Found", "Location: /elsewhere\r\n", ""), status(302)),
        (answer("200 OK", "", "<!doctype html><title>Log in</title>"), malformed.clone()),
        (answer("200 OK", "", ""), malformed.clone()),
        (answer("200 OK", "", "[]"), malformed.clone()),
        (answer("200 OK", "", r#"{"id_token":7}"#), malformed),
        (answer("200 OK", "", "{}"), ProviderFault::Missing("ID token")),
        (answer("200 OK", "", &" ".repeat(1 << 20)), large),
        (answer("400 Bad Request", "", r#"{"error":"invalid_grant"}"#), refused("invalid_grant")),
        (answer("401 Unauthorized", "", r#"{"error":"<b>"}"#), refused("unreadable")),
        (answer("401 Unauthorized", "", "no"), status(401)),
        (answer("200 OK", "", r#"{"error":"bad_verification_code"}"#), refused("bad_verification_code")),
        (answer("503 Service Unavailable", "", r#"{"error":"x"}"#), status(503)),
        (json_answer(&json!({ "id_token": "a.b.c" })), ProviderFault::IdToken(IdTokenError::Malformed)),
    ];
    for (sent, fault) in cases {
        test.answers.lock().token = Some(sent);
        assert_eq!(test.log_in(&provider).await, Err(fault));
    }
    test.answers.lock().token = Some(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".to_vec());
    let cut = test.log_in(&provider).await.unwrap_err();
    assert!(matches!(cut, ProviderFault::Unreachable { error: ExternalError::Unanswered(Unanswered::Closed(_)), .. }));
}

#[tokio::test]
async fn silent_and_absent_providers_are_given_up() {
    let test = TestProvider::start().await;
    let is_timeout = |fault: &ProviderFault, expected| {
        matches!(fault, ProviderFault::Unreachable { asked, error: ExternalError::Unanswered(Unanswered::Timeout(_)) }
            if *asked == expected)
    };
    // Its metadata and keys are kept first: the clock of the timeouts stands still meanwhile.
    test.says(&test.claims());
    test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap();
    test.answers.lock().token = None;
    let fault = test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap_err();
    assert!(is_timeout(&fault, Asked::Token) && fault.is_outage(), "{fault}");
    let closed = Provider { issuer: "http://127.0.0.1:1".to_owned(), ..test.provider(ProviderKind::Oidc) };
    let fault = test.client().authorization_request(&closed, REDIRECT, None).await.unwrap_err();
    assert!(matches!(fault, ProviderFault::Unreachable { asked: Asked::Metadata, .. }) && fault.is_outage(), "{fault}");
}

#[tokio::test]
async fn metadata_that_lead_to_an_inner_address_are_not_followed() {
    let test = TestProvider::start().await;
    let inner = Server::start(|_| |_: &str| Some(answer("200 OK", "", "{}"))).await;
    let port = inner.origin.rsplit(':').next().unwrap();
    // The operator named 127.0.0.1; the provider names another inner host.
    for host in ["localhost", "127.0.0.2", "[::1]"] {
        let keys = json!(format!("http://{host}:{port}/keys"));
        test.answers.lock().metadata = Some(json_answer(&with(metadata_json(&test.server.origin), "jwks_uri", keys)));
        test.clock.advance(Duration::from_hours(48));
        test.says(&test.claims());
        let fault = test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap_err();
        let is_inner =
            matches!(&fault, ProviderFault::Unreachable { asked: Asked::Keys, error: ExternalError::Inner(_) });
        assert!(is_inner, "{host}: {fault}");
    }
    assert_eq!(inner.requests("/keys").len(), 0);
}

#[tokio::test]
async fn userinfo_has_the_address_that_the_token_lacks() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Oidc);
    let mut claims = test.claims();
    claims.as_object_mut().unwrap().retain(|name, _| !matches!(name.as_str(), "email" | "name"));
    test.says(&claims);
    let log_in = async |userinfo: Vec<u8>| {
        test.answers.lock().userinfo = Some(userinfo);
        test.log_in(&provider).await
    };
    let userinfo = json!({ "sub": "ada", "email": "ada@example.com", "email_verified": true, "name": "Ada L." });
    let profile = log_in(json_answer(&userinfo)).await.unwrap();
    let expected = (Some(stated("ada@example.com", EmailAssurance::Verified)), Some("Ada L.".to_owned()));
    assert_eq!((profile.email, profile.name), expected);
    let request = test.server.requests("/userinfo").remove(0);
    assert!(request.starts_with("GET ") && request.contains("authorization: Bearer secret-token"), "{request}");
    // The token's own word counts for nothing: address and verification are of one document.
    let unverified = json!({ "sub": "ada", "email": "ada@example.com" });
    let profile = log_in(json_answer(&unverified)).await.unwrap();
    assert_eq!(profile.email, Some(stated("ada@example.com", EmailAssurance::Claimed)));
    assert_eq!(log_in(json_answer(&json!({ "sub": "ada" }))).await.unwrap().email, None);
    for other in [json!({ "sub": "bob" }), json!({}), json!({ "sub": ["ada"] })] {
        assert_eq!(log_in(json_answer(&other)).await, Err(ProviderFault::UserinfoSubject), "{other}");
    }
    let malformed = ProviderFault::Malformed(Asked::Userinfo);
    for text in ["<html>", "[]", r#"{"sub":"ada","sub":"bob"}"#, "eyJ.eyJ.x"] {
        assert_eq!(log_in(answer("200 OK", "", text)).await, Err(malformed.clone()), "{text}");
    }
    let status = ProviderFault::Status { asked: Asked::Userinfo, status: 401 };
    assert_eq!(log_in(answer("401 Unauthorized", "", "{}")).await, Err(status));
    let token = test.key.sign(&claims, ScriptedSignature::Right).unwrap();
    test.answers.lock().token = Some(json_answer(&json!({ "id_token": token })));
    assert_eq!(test.log_in(&provider).await, Err(ProviderFault::Missing("access token")));
}

#[tokio::test]
async fn answer_is_checked_before_the_code_is_redeemed() {
    let test = TestProvider::start().await;
    let promise =
        with(metadata_json(&test.server.origin), "authorization_response_iss_parameter_supported", json!(true));
    test.answers.lock().metadata = Some(json_answer(&promise));
    test.says(&test.claims());
    let provider = test.provider(ProviderKind::Oidc);
    let returned = |iss| CallbackParams { code: Some("c"), iss, ..CallbackParams::default() };
    assert_eq!(test.log_in_with(&provider, returned(None)).await, Err(ProviderFault::ReturnedWithoutIssuer));
    let other = Err(ProviderFault::ReturnedIssuer("https://other.example".to_owned()));
    assert_eq!(test.log_in_with(&provider, returned(Some("https://other.example"))).await, other);
    assert_eq!(test.server.requests("/token").len(), 0);
    assert!(test.log_in_with(&provider, returned(Some(&test.server.origin))).await.is_ok());
}

#[tokio::test]
async fn microsoft_person_is_one_of_a_tenant() {
    let test = TestProvider::start().await;
    let (origin, provider) = (&test.server.origin, test.provider(ProviderKind::Microsoft));
    let template = json!(format!("{origin}/{{tenantid}}/v2.0"));
    test.answers.lock().metadata = Some(json_answer(&with(metadata_json(origin), "issuer", template)));
    let mut claims = test.claims();
    for (name, value) in
        [("iss", json!(format!("{origin}/{TENANT}/v2.0"))), ("tid", json!(TENANT)), ("oid", json!("o"))]
    {
        claims[name] = value;
    }
    test.says(&claims);
    let profile = test.log_in(&provider).await.unwrap();
    assert_eq!((profile.issuer, profile.subject), (format!("{origin}/{TENANT}/v2.0"), "o".to_owned()));
    assert_eq!(profile.email, Some(stated("ada@example.com", EmailAssurance::Claimed)));
    assert_eq!(test.server.requests("/common/v2.0/.well-known/openid-configuration").len(), 1);
    test.says(&with(claims, "xms_edov", json!("1")));
    let profile = test.log_in(&provider).await.unwrap();
    assert_eq!(profile.email, Some(stated("ada@example.com", EmailAssurance::Verified)));
}

#[tokio::test]
async fn apple_gets_a_signed_secret_and_states_the_name_beside() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::Apple);
    let mut claims = with(test.claims(), "email_verified", json!("true"));
    claims.as_object_mut().unwrap().remove("name");
    test.says(&claims);
    let pem = STANDARD.encode(&published_signing_key(SigningAlgorithm::Es256).private_key);
    let pem = SecretString::from(format!("-----BEGIN PRIVATE KEY-----\n{pem}\n-----END PRIVATE KEY-----\n"));
    let redemption = Redemption { client_secret: &pem, redirect_uri: REDIRECT, secrets: &test.secrets };
    let user = r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@example.com"}"#;
    let returned = CallbackParams { code: Some("c"), user: Some(user), ..CallbackParams::default() };
    let profile = test.client().profile(&provider, redemption, returned).await.unwrap();
    assert_eq!(profile.name.as_deref(), Some("Ada Lovelace"));
    assert_eq!(profile.email, Some(stated("ada@example.com", EmailAssurance::Verified)));
    let request = test.server.requests("/token").remove(0);
    assert!(request.contains("&client_id=client&client_secret=ey") && !request.contains("PRIVATE"), "{request}");
    let fault = test.log_in(&provider).await.unwrap_err();
    assert_eq!(fault, ProviderFault::Secret, "it is no key");
    // The field is Apple's alone.
    let oidc = test.provider(ProviderKind::Oidc);
    assert_eq!(test.log_in_with(&oidc, returned).await.unwrap().name, None);
}

#[tokio::test]
async fn github_person_comes_from_its_api() {
    let test = TestProvider::start().await;
    let provider = test.provider(ProviderKind::GitHub);
    let origin = &test.server.origin;
    let authorization = test.client().authorization_request(&provider, REDIRECT, None).await.unwrap();
    assert!(authorization.address.starts_with(&format!("{origin}/login/oauth/authorize?")));
    test.answers.lock().token = Some(json_answer(&json!({ "access_token": "gho_secret", "token_type": "bearer" })));
    let user = json!({ "id": 583_231, "login": "ada", "name": "Ada", "email": "public@example.com" });
    test.answers.lock().userinfo = Some(json_answer(&user));
    let emails = json!([
        { "email": "first@example.com", "primary": false, "verified": true },
        { "email": "ada@example.com", "primary": true, "verified": true },
    ]);
    test.answers.lock().emails = Some(json_answer(&emails));
    let profile = test.log_in(&provider).await.unwrap();
    let expected = ProviderProfile {
        issuer: origin.clone(),
        subject: "583231".to_owned(),
        email: Some(stated("ada@example.com", EmailAssurance::Verified)),
        name: Some("Ada".to_owned()),
        second_factor: false,
        authenticated_at: None,
    };
    assert_eq!(profile, expected);
    let request = test.server.requests("/login/oauth/access_token").remove(0);
    assert!(request.contains("accept: application/json"), "else it answers with a form: {request}");
    assert!(request.contains("&client_id=client&client_secret=s3cret%2B%2F%3A"), "{request}");
    for path in ["/api/v3/user", "/api/v3/user/emails?per_page=100"] {
        assert!(test.server.requests(path)[0].contains("authorization: Bearer gho_secret"), "{path}");
    }
    // Without the right to read addresses there is none; the public one of the profile is not verified.
    test.answers.lock().emails = Some(answer("404 Not Found", "", "{}"));
    assert_eq!(test.log_in(&provider).await.unwrap().email, None);
    test.answers.lock().emails = Some(answer("502 Bad Gateway", "", "{}"));
    assert_eq!(test.log_in(&provider).await, Err(ProviderFault::Status { asked: Asked::Userinfo, status: 502 }));
    for id in [json!("583231"), json!(-1), json!(1.5), Value::Null] {
        test.answers.lock().emails = Some(json_answer(&emails));
        test.answers.lock().userinfo = Some(json_answer(&with(user.clone(), "id", id)));
        assert_eq!(test.log_in(&provider).await, Err(ProviderFault::Missing("id")));
    }
}

#[tokio::test]
async fn faults_have_no_secret_in_their_text() {
    let test = TestProvider::start().await;
    let secret = test.secrets.verifier().to_owned();
    test.answers.lock().token =
        Some(answer("400 Bad Request", "", &json!({ "error": secret.clone() + "\n" }).to_string()));
    let fault = test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap_err();
    assert_eq!(fault.to_string(), "a token cannot be had: the provider answers with the error \"unreadable\"");
    // Its explanation is passed on, in one line, unless it repeats what was sent.
    let explained = async |text: String| {
        let body = json!({ "error": "invalid_grant", "error_description": text });
        test.answers.lock().token = Some(answer("400 Bad Request", "", &body.to_string()));
        test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap_err().to_string()
    };
    let plain = "a token cannot be had: the provider answers with the error \"invalid_grant\"";
    assert_eq!(explained("Not\nso \"far\".".to_owned()).await, format!("{plain}, \"Not\\nso \\\"far\\\".\""));
    assert_eq!(explained("x".repeat(1000)).await, format!("{plain}, \"{}\"", "x".repeat(200)));
    for sent in [&secret, "s3cret+/:", "the code"] {
        assert_eq!(explained(format!("What is {sent}?")).await, plain);
    }
    test.says(&with(test.claims(), "nonce", json!("another")));
    let fault = test.log_in(&test.provider(ProviderKind::Oidc)).await.unwrap_err();
    assert_eq!(fault.to_string(), "the ID token has the nonce of another login");
    assert!(!format!("{:?}", test.client()).contains("secret"));
}
