//! `doorward dev provider`, with the service's own client: right logins are taken, of every kind of provider, and each
//! fault is refused with its cause.

use crate::harness::ScriptedProvider;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use doorward::cli::args::described;
use doorward::clock::Clock;
use doorward::crypto::id_token::IdTokenError;
use doorward::model::provider::{Provider, ProviderKind, ProviderMfa, Tenant};
use doorward::model::time::Time;
use doorward::oidc::{
    Asked, CallbackParams, EmailAssurance, MetadataFault, ProviderClient, ProviderDocuments, ProviderFault,
    ProviderProfile, Redemption, StatedAddress,
};
use doorward::outbound::{ExternalClient, ExternalError, Unanswered};
use doorward::settings::ServiceName;
use secrecy::SecretString;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

single_run![
    login_without_a_fault_names_the_person,
    every_fault_is_refused_with_its_cause,
    people_may_speak_as_other_kinds_do,
    apple_answers_by_a_form_and_tells_the_name_once,
    person_who_refuses_is_denied,
    page_has_a_button_for_each_person,
    code_is_redeemed_once_and_by_its_login_only,
    client_is_told_from_others,
];

const REDIRECT: &str = "http://127.0.0.1:9/auth/login/with/dev/return";

struct Parts {
    external: ExternalClient,
    documents: ProviderDocuments,
    clock: Clock,
}

impl Parts {
    fn new() -> Self {
        Self {
            external: ExternalClient::new(Vec::new()).unwrap(),
            documents: ProviderDocuments::default(),
            clock: Clock::system(),
        }
    }

    fn client(&self) -> ProviderClient<'_> {
        ProviderClient { external: self.external.share_of(None), documents: &self.documents, clock: &self.clock }
    }
}

fn returned(fields: &BTreeMap<String, String>) -> CallbackParams<'_> {
    let get = |name: &str| fields.get(name).map(String::as_str);
    CallbackParams { code: get("code"), error: get("error"), iss: get("iss"), user: get("user") }
}

async fn log_in(scripted: &ScriptedProvider, record: &Provider, hint: &str) -> Result<ProviderProfile, ProviderFault> {
    log_in_with(scripted, record, &SecretString::from(scripted.client_secret.clone()), hint).await
}

async fn log_in_with(
    scripted: &ScriptedProvider,
    record: &Provider,
    client_secret: &SecretString,
    hint: &str,
) -> Result<ProviderProfile, ProviderFault> {
    let parts = Parts::new();
    let authorization = parts.client().authorization_request(record, REDIRECT, Some(hint)).await?;
    let fields = scripted.visit(&authorization.address).await;
    assert_eq!(fields.get("state").map(String::as_str), Some(authorization.state.text()));
    let redemption = Redemption { client_secret, redirect_uri: REDIRECT, secrets: &authorization.secrets };
    parts.client().profile(record, redemption, returned(&fields)).await
}

fn stated(address: &str, assurance: EmailAssurance) -> StatedAddress {
    StatedAddress { address: address.to_owned(), assurance }
}

async fn login_without_a_fault_names_the_person() {
    let scripted = ScriptedProvider::start().await;
    for (hint, sub, name) in [
        ("ada", "ada", "Ada Lovelace"),
        ("BOB@example.com", "bob", "Bob Example"),
        ("ada@example.com", "ada", "Ada Lovelace"),
    ] {
        let expected = ProviderProfile {
            issuer: scripted.issuer.clone(),
            subject: sub.to_owned(),
            email: Some(stated(&format!("{sub}@example.com"), EmailAssurance::Verified)),
            name: Some(name.to_owned()),
            second_factor: false,
            authenticated_at: None,
        };
        assert_eq!(log_in(&scripted, &scripted.record(ProviderKind::Oidc), hint).await, Ok(expected));
    }
    let (parts, secret) = (Parts::new(), SecretString::from(scripted.client_secret.clone()));
    let examined = parts.client().check(&scripted.record(ProviderKind::Oidc), Some(&secret), REDIRECT).await;
    assert_eq!((examined.documents, examined.client), (Ok(()), Some(Ok(()))));
    assert_eq!(examined.promises_pkce, Some(true));
    assert!(examined.clock_difference.is_some_and(|difference| difference < Duration::from_secs(30)));
}

/// Each fault, and whether its cause was found.
type Cause = (&'static str, fn(&ProviderFault) -> bool);

const CAUSES: [Cause; 18] = [
    ("issuer", |fault| matches!(fault, ProviderFault::Issuer { found, .. } if found.ends_with("/another"))),
    (
        "issuer-slash",
        |fault| matches!(fault, ProviderFault::Metadata(MetadataFault::Issuer { found, expected }) if *found == format!("{expected}/")),
    ),
    ("audience", |fault| *fault == ProviderFault::Audience),
    ("azp", |fault| *fault == ProviderFault::AuthorizedParty),
    ("nonce", |fault| *fault == ProviderFault::Nonce),
    ("alg-none", |fault| is_algorithm(fault, "none")),
    ("alg-hs256", |fault| is_algorithm(fault, "HS256")),
    ("expired", |fault| *fault == ProviderFault::Expired),
    ("future", |fault| *fault == ProviderFault::Future),
    ("unknown-key", |fault| *fault == ProviderFault::IdToken(IdTokenError::UnknownKey)),
    ("two-keys", |fault| *fault == ProviderFault::IdToken(IdTokenError::SeveralKeys)),
    ("iss-parameter", |fault| matches!(fault, ProviderFault::ReturnedIssuer(iss) if iss.ends_with("/another"))),
    ("token-hangs", |fault| {
        matches!(unreachable(fault), Some((Asked::Token, ExternalError::Unanswered(Unanswered::Timeout(_)))))
    }),
    ("token-redirects", |fault| *fault == ProviderFault::Status { asked: Asked::Token, status: 303 }),
    ("token-huge", |fault| unreachable(fault) == Some((Asked::Token, &ExternalError::Large))),
    ("token-html", |fault| *fault == ProviderFault::Malformed(Asked::Token)),
    ("userinfo-subject", |fault| *fault == ProviderFault::UserinfoSubject),
    ("down", |fault| {
        matches!(unreachable(fault), Some((Asked::Metadata, ExternalError::Unanswered(Unanswered::Closed(_)))))
    }),
];

fn is_algorithm(fault: &ProviderFault, name: &str) -> bool {
    matches!(fault, ProviderFault::IdToken(IdTokenError::Algorithm(found)) if found == name)
}

fn unreachable(fault: &ProviderFault) -> Option<(Asked, &ExternalError)> {
    match fault {
        ProviderFault::Unreachable { asked, error } => Some((*asked, error)),
        _ => None,
    }
}

async fn every_fault_is_refused_with_its_cause() {
    let tree = described(&ServiceName::parse("svc").unwrap());
    let command = tree.find_subcommand("dev").and_then(|dev| dev.find_subcommand("provider")).unwrap();
    let fault = command.get_arguments().find(|argument| argument.get_id() == "fault").unwrap();
    let names: Vec<String> = fault.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    assert_eq!(names, CAUSES.map(|(name, _)| name), "every fault is tried");
    for (name, is_cause) in CAUSES {
        let scripted = ScriptedProvider::with_fault(name).await;
        let refused = log_in(&scripted, &scripted.record(ProviderKind::Oidc), "ada").await;
        assert!(refused.as_ref().is_err_and(is_cause), "{name}: {refused:?}");
    }
}

async fn people_may_speak_as_other_kinds_do() {
    const TENANT: &str = "72f988bf-86f1-41af-91ab-2d7cd011db47";
    let emails = json!([
        { "email": "1+ada@users.noreply.github.com", "primary": false, "verified": true },
        { "email": "ada@example.com", "primary": true, "verified": true },
    ]);
    let scripted = ScriptedProvider::with_people(&json!([
        { "sub": "edov", "email": "ada@corp.example", "claims": { "tid": TENANT, "oid": "o-1", "xms_edov": "1" } },
        { "sub": "no-edov", "email": "eve@corp.example", "email_verified": true, "claims": { "tid": TENANT, "oid": "o-2" } },
        { "sub": "hosted", "email": "ada@corp.example", "email_verified": true, "claims": { "hd": "corp.example" } },
        { "sub": "free", "email": "ada@corp.example", "email_verified": true },
        { "sub": "hub", "name": "Ada", "claims": { "id": 583_231, "emails": emails } },
        { "sub": "mfa", "claims": { "amr": ["pwd", "otp"], "auth_time": 1_000_000_000 } },
    ]))
    .await;
    let microsoft =
        |tenant| Provider { tenant: Tenant::parse(tenant).ok(), ..scripted.record(ProviderKind::Microsoft) };
    for (sub, subject, assurance) in
        [("edov", "o-1", EmailAssurance::Verified), ("no-edov", "o-2", EmailAssurance::Claimed)]
    {
        for tenant in ["common", "organizations", TENANT] {
            let person = log_in(&scripted, &microsoft(tenant), sub).await.unwrap();
            let issuer = format!("{}/{TENANT}/v2.0", scripted.issuer);
            assert_eq!((person.issuer, person.subject.as_str()), (issuer, subject), "{tenant}");
            assert_eq!(person.email.unwrap().assurance, assurance, "{tenant}");
        }
        let refused = log_in(&scripted, &microsoft("consumers"), sub).await;
        assert_eq!(refused, Err(ProviderFault::Tenant(TENANT.to_owned())));
    }
    for (sub, assurance) in [("hosted", EmailAssurance::Verified), ("free", EmailAssurance::Claimed)] {
        let person = log_in(&scripted, &scripted.record(ProviderKind::Google), sub).await.unwrap();
        assert_eq!(person.email, Some(stated("ada@corp.example", assurance)));
    }
    let person = log_in(&scripted, &scripted.record(ProviderKind::GitHub), "hub").await.unwrap();
    let expected =
        (scripted.issuer.clone(), "583231".to_owned(), Some(stated("ada@example.com", EmailAssurance::Verified)));
    assert_eq!((person.issuer, person.subject, person.email), expected);
    let trusting = Provider { mfa: ProviderMfa::Trust, ..scripted.record(ProviderKind::Oidc) };
    let person = log_in(&scripted, &trusting, "mfa").await.unwrap();
    let at = person.authenticated_at.map(Time::as_seconds);
    assert_eq!((person.second_factor, at, person.email), (true, Some(1_000_000_000), None));
}

async fn apple_answers_by_a_form_and_tells_the_name_once() {
    let scripted = ScriptedProvider::with_people(&json!([
        { "sub": "ada", "email": "ada@example.com", "email_verified": "true", "name": "Ada Lovelace", "claims": { "name": null } },
    ]))
    .await;
    let record = scripted.record(ProviderKind::Apple);
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap().to_pkcs8v1().unwrap();
    let key = STANDARD.encode(key.as_ref());
    let key = SecretString::from(format!("-----BEGIN PRIVATE KEY-----\n{key}\n-----END PRIVATE KEY-----\n"));
    let first = log_in_with(&scripted, &record, &key, "ada").await.unwrap();
    assert_eq!(
        (first.name.as_deref(), first.email),
        (Some("Ada Lovelace"), Some(stated("ada@example.com", EmailAssurance::Verified)))
    );
    let second = log_in_with(&scripted, &record, &key, "ada").await.unwrap();
    assert_eq!((second.name, second.subject.as_str()), (None, "ada"));
    let unusable = log_in(&scripted, &record, "ada").await;
    assert_eq!(unusable, Err(ProviderFault::Secret));
}

async fn person_who_refuses_is_denied() {
    let people = json!([{ "sub": "eve", "error": "access_denied" }]);
    let scripted = ScriptedProvider::with_people(&people).await;
    let denied = log_in(&scripted, &scripted.record(ProviderKind::Oidc), "eve").await;
    assert_eq!(denied, Err(ProviderFault::Denied("access_denied".to_owned())));
}

async fn page_has_a_button_for_each_person() {
    let scripted = ScriptedProvider::start().await;
    let (parts, record) = (Parts::new(), scripted.record(ProviderKind::Oidc));
    for hint in [None, Some("nobody@example.com")] {
        let authorization = parts.client().authorization_request(&record, REDIRECT, hint).await.unwrap();
        let page = reqwest::get(&authorization.address).await.unwrap().text().await.unwrap();
        let shown: Vec<&str> =
            page.split("<button ").skip(1).filter_map(|rest| rest.split("</button>").next()).collect();
        let expected = [
            "name=\"person\" value=\"ada\">Ada Lovelace (ada@example.com)",
            "name=\"person\" value=\"bob\">Bob Example (bob@example.com)",
        ];
        assert_eq!(shown, expected);
        // What a button sends: the fields of the page, and the person.
        let fields = scripted.visit(&format!("{}&person=bob", authorization.address)).await;
        assert!(fields.contains_key("code") && fields["state"] == authorization.state.text(), "{fields:?}");
    }
}

fn refused<T>(code: &str) -> Result<T, ProviderFault> {
    Err(ProviderFault::Refused { asked: Asked::Token, code: code.to_owned(), description: None })
}

async fn code_is_redeemed_once_and_by_its_login_only() {
    let scripted = ScriptedProvider::start().await;
    let (parts, record) = (Parts::new(), scripted.record(ProviderKind::Oidc));
    let secret = SecretString::from(scripted.client_secret.clone());
    let refused = refused("invalid_grant");
    let begin = async || {
        let authorization = parts.client().authorization_request(&record, REDIRECT, Some("ada")).await.unwrap();
        let fields = scripted.visit(&authorization.address).await;
        (authorization, fields)
    };
    let (authorization, fields) = begin().await;
    let redeem = async |redirect_uri, secrets, fields| {
        let redemption = Redemption { client_secret: &secret, redirect_uri, secrets };
        parts.client().profile(&record, redemption, returned(fields)).await
    };
    assert!(redeem(REDIRECT, &authorization.secrets, &fields).await.is_ok());
    assert_eq!(redeem(REDIRECT, &authorization.secrets, &fields).await, refused);
    let (other, other_fields) = begin().await;
    assert_eq!(redeem(REDIRECT, &authorization.secrets, &other_fields).await, refused, "the verifier of another login");
    let (another, another_fields) = begin().await;
    assert_eq!(redeem("http://127.0.0.1:9/elsewhere", &another.secrets, &another_fields).await, refused);
    assert_eq!(redeem(REDIRECT, &other.secrets, &other_fields).await, refused, "it was tried");
}

async fn client_is_told_from_others() {
    let scripted = ScriptedProvider::start().await;
    let record = scripted.record(ProviderKind::Oidc);
    let wrong = log_in_with(&scripted, &record, &SecretString::from("wrong"), "ada").await;
    assert_eq!(wrong, refused("invalid_client"));
    let unknown = Provider { client_id: "another".to_owned(), ..record };
    let authorization = Parts::new().client().authorization_request(&unknown, REDIRECT, Some("ada")).await.unwrap();
    let answer = reqwest::Client::builder().timeout(Duration::from_secs(10)).build().unwrap();
    let answer = answer.get(&authorization.address).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 400, "nobody is sent back for an unknown client");
}
