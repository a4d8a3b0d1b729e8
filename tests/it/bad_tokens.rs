//! Forged, expired and altered access tokens (docs/reference/api-v1.md 6).

use crate::harness::{Client, Engine, TestApp, snapshot};
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use std::time::Duration;

one_engine![
    access_token_has_documented_claims,
    truncated_and_altered_tokens_are_refused,
    alg_none_is_refused,
    public_key_as_hmac_secret_is_refused,
    token_signed_with_foreign_key_is_refused,
    forged_claims_signed_with_shared_key_are_refused,
    expired_token_is_refused,
    token_signed_with_retired_key_is_refused,
    jwks_publishes_keys,
];

const KEYS: [&[u8]; 2] = [b"thirty-two bytes for the tests 1", b"thirty-two bytes for the tests 2"];

struct Token {
    header: Value,
    claims: Value,
    signature: String,
}

impl Token {
    fn parse(token: &str) -> Self {
        let parts: Vec<&str> = token.split('.').collect();
        let json = |part: &str| serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
        Self { header: json(parts[0]), claims: json(parts[1]), signature: parts[2].to_owned() }
    }

    fn of(client: &Client) -> Self {
        Self::parse(&client.token("access").unwrap())
    }

    fn message(&self) -> String {
        [&self.header, &self.claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string())).join(".")
    }

    fn unsigned(&self) -> String {
        format!("{}.{}", self.message(), self.signature)
    }

    fn signed(&self, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
        let message = self.message();
        let signature = BASE64_URL_SAFE_NO_PAD.encode(sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    fn signed_hs256(&self, key: &[u8]) -> String {
        self.signed(|message| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message).as_ref().to_vec())
    }
}

async fn signed_in(engine: Engine) -> (TestApp, Client) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    (app, ada)
}

/// A service that signs with the first shared key of [`KEYS`].
async fn shared_keys(engine: Engine) -> TestApp {
    engine.prepare().await.set("SVC_JWT_KEYS", key_list(&[0])).set("SVC_JWT_ACTIVE_KEY_ID", "k0").start().await
}

fn key_list(numbers: &[usize]) -> String {
    let keys = numbers.iter().map(|number| format!("k{number}:{}", BASE64_STANDARD.encode(KEYS[*number])));
    keys.collect::<Vec<_>>().join(",")
}

async fn expect_refused(client: &Client, token: &str) {
    let mallory = client.copy();
    mallory.set_token("access", token);
    let reply = mallory.api_user().await;
    assert_eq!(reply.status, 401, "accepted: {token}");
    reply.snapshot("api_v1/user_not_logged_in");
}

async fn expect_accepted(client: &Client, token: &str) {
    let backend = client.copy();
    backend.set_token("access", token);
    backend.api_user().await.expect(200);
}

async fn access_token_has_documented_claims(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    let user = ada.api_user().await.expect(200).json();
    let token = Token::of(&ada);
    let claims = &token.claims;
    assert_eq!((&claims["iss"], &claims["sub"]), (&json!(app.url()), &user["id"]));
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 600);
    snapshot("api_v1/access_token", &format!("{:#}\n{claims:#}", token.header));
}

async fn truncated_and_altered_tokens_are_refused(engine: Engine) {
    let (_app, ada) = signed_in(engine).await;
    let good = ada.token("access").unwrap();
    let parts: Vec<&str> = good.split('.').collect();
    let mut bad: Vec<String> = ["x", ".", "..", "...", "a.b.c", "e30.e30.", "e30.e30.e30"].map(str::to_owned).into();
    bad.extend((1..good.len()).step_by(37).map(|end| good[..end].to_owned()));
    bad.push(good[..good.len() - 1].to_owned());
    bad.push(format!("{}.{}", parts[0], parts[1]));
    bad.push(format!("{}.{}.", parts[0], parts[1]));
    bad.push(format!("{good}.{}", parts[2]));
    bad.push(format!("{good}A"));
    bad.push(good.to_uppercase());
    let mut altered = Token::parse(&good);
    altered.claims["roles"] = json!(["svc:admin"]);
    bad.push(altered.unsigned());
    for token in &bad {
        expect_refused(&ada, token).await;
    }
    expect_accepted(&ada, &good).await;
}

async fn alg_none_is_refused(engine: Engine) {
    let (_app, ada) = signed_in(engine).await;
    for alg in ["none", "None", "NONE", "nOnE", ""] {
        let mut token = Token::of(&ada);
        token.header["alg"] = json!(alg);
        expect_refused(&ada, &token.unsigned()).await;
        token.signature.clear();
        expect_refused(&ada, &token.unsigned()).await;
    }
}

async fn published_key(client: &Client) -> Value {
    let set = client.get("/auth/.well-known/jwks.json").await.expect(200).json();
    set["keys"].as_array().unwrap()[0].clone()
}

async fn public_key_as_hmac_secret_is_refused(engine: Engine) {
    let (_app, ada) = signed_in(engine).await;
    let key = published_key(&ada).await;
    let text = key["x"].as_str().unwrap();
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).unwrap();
    for alg in ["HS256", "HS384", "EdDSA"] {
        for secret in [text.as_bytes(), &bytes, key.to_string().as_bytes(), b""] {
            let mut token = Token::of(&ada);
            token.header["alg"] = json!(alg);
            expect_refused(&ada, &token.signed_hs256(secret)).await;
        }
    }
}

async fn token_signed_with_foreign_key_is_refused(engine: Engine) {
    let (_app, ada) = signed_in(engine).await;
    let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
    let key = Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap();
    let mut token = Token::of(&ada);
    expect_refused(&ada, &token.signed(|message| key.sign(message).as_ref().to_vec())).await;
    // A key inside the token itself is never trusted.
    let own = BASE64_URL_SAFE_NO_PAD.encode(key.public_key().as_ref());
    token.header["jwk"] = json!({ "kty": "OKP", "crv": "Ed25519", "x": own });
    expect_refused(&ada, &token.signed(|message| key.sign(message).as_ref().to_vec())).await;
    token.header["kid"] = json!("../../etc/passwd");
    expect_refused(&ada, &token.signed(|message| key.sign(message).as_ref().to_vec())).await;
}

async fn forged_claims_signed_with_shared_key_are_refused(engine: Engine) {
    let app = shared_keys(engine).await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let base = || Token::of(&ada);
    expect_accepted(&ada, &base().signed_hs256(KEYS[0])).await;
    for (claim, forged) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!(["nobody"])),
        ("aud", json!([])),
        ("exp", json!(1)),
        ("exp", Value::Null),
        ("sub", Token::of(&bob).claims["sub"].clone()),
        ("sid", json!("00000000-0000-4000-8000-000000000000")),
        ("sid", json!("x' OR 1=1 --")),
    ] {
        let mut token = base();
        token.claims[claim] = forged;
        expect_refused(&ada, &token.signed_hs256(KEYS[0])).await;
    }
    // A holder of the shared key could forge roles; the service takes them from its database.
    let mut token = base();
    token.claims["roles"] = json!(["svc:admin"]);
    let backend = ada.copy();
    backend.set_token("access", &token.signed_hs256(KEYS[0]));
    assert_eq!(backend.api_user().await.expect(200).json()["roles"], json!([]));
    // An id token, or any other type, is not an access token.
    let mut token = base();
    token.header["typ"] = json!("JWT");
    expect_refused(&ada, &token.signed_hs256(KEYS[0])).await;
}

async fn expired_token_is_refused(engine: Engine) {
    let (app, ada) = signed_in(engine).await;
    app.clock().advance(Duration::from_secs(590));
    ada.api_user().await.expect(200);
    app.clock().advance(Duration::from_secs(11));
    ada.api_user().await.expect_error(401, "unauthorized");
    ada.refresh("app").await.expect(200);
    ada.api_user().await.expect(200);
}

async fn token_signed_with_retired_key_is_refused(engine: Engine) {
    let app = shared_keys(engine).await;
    let ada = app.sign_up("ada@example.com").await;
    let old = ada.token("access").unwrap();
    let app = app.restart_with(&[("SVC_JWT_KEYS", &key_list(&[0, 1])), ("SVC_JWT_ACTIVE_KEY_ID", "k1")]).await;
    expect_accepted(&ada, &old).await;
    ada.refresh("app").await.expect(200);
    assert_eq!(Token::of(&ada).header["kid"], "k1");
    let _app = app.restart_with(&[("SVC_JWT_KEYS", &key_list(&[1]))]).await;
    expect_refused(&ada, &old).await;
    ada.api_user().await.expect(200);
}

async fn jwks_publishes_keys(engine: Engine) {
    let (_app, ada) = signed_in(engine).await;
    let key = published_key(&ada).await;
    let token = Token::of(&ada);
    assert_eq!(key["kid"], token.header["kid"]);
    let public = BASE64_URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let signature = BASE64_URL_SAFE_NO_PAD.decode(&token.signature).unwrap();
    let message = ada.token("access").unwrap();
    let message = message.rsplit_once('.').unwrap().0.as_bytes();
    let key = aws_lc_rs::signature::UnparsedPublicKey::new(&aws_lc_rs::signature::ED25519, public);
    key.verify(message, &signature).unwrap();
    // No private part, and a script of any origin may read it.
    ada.get("/auth/.well-known/jwks.json").await.snapshot("api_v1/jwks");
}
