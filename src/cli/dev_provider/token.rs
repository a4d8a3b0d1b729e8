//! The tokens of the scripted provider.

use super::answer::{DevAnswer, document, error, huge, page, redirect};
use super::form::{DevFields, credentials};
use super::grant::{Flavor, Grant};
use super::page;
use super::person::DevPerson;
use super::server::DevServer;
use super::{CLIENT_ID, CLIENT_SECRET};
use crate::cli::dev_args::DevFault;
use crate::clock::Clock;
use crate::crypto::scripted_token::ScriptedSignature;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::StatusCode;
use hyper::header::HeaderMap;
use serde_json::{Map, Value, json};

const MINUTE: i64 = 60;
const GIGABYTE: u64 = 1_000_000_000;

impl DevServer {
    pub(super) async fn token(&self, headers: &HeaderMap, form: &DevFields) -> DevAnswer {
        match self.fault {
            Some(DevFault::TokenHangs) => std::future::pending().await,
            Some(DevFault::TokenRedirects) => redirect("/elsewhere"),
            Some(DevFault::TokenHuge) => huge(GIGABYTE),
            Some(DevFault::TokenHtml) => page(StatusCode::OK, page::sentence("This is no token.")),
            _ => self.redeem(headers, form),
        }
    }

    fn redeem(&self, headers: &HeaderMap, form: &DevFields) -> DevAnswer {
        let is_client =
            |(id, secret): &(String, String)| id == CLIENT_ID && (secret == CLIENT_SECRET || is_apple(secret));
        if !credentials(headers, form).is_some_and(|client| is_client(&client)) {
            return error(StatusCode::UNAUTHORIZED, "invalid_client");
        }
        if form.get("grant_type").is_some_and(|kind| kind != "authorization_code") {
            return error(StatusCode::BAD_REQUEST, "unsupported_grant_type");
        }
        let granted = self.grants.redeem(form).and_then(|grant| Some((self.people.get(grant.person)?, grant)));
        let Some((person, grant)) = granted else {
            return error(StatusCode::BAD_REQUEST, "invalid_grant");
        };
        let Some(access_token) = self.grants.access_token(grant.person) else {
            return error(StatusCode::INTERNAL_SERVER_ERROR, "server_error");
        };
        if grant.flavor == Flavor::GitHub {
            return document(&json!({ "access_token": access_token, "token_type": "bearer", "scope": "" }));
        }
        match self.id_token(&grant, person) {
            Some(id_token) => {
                document(&json!({ "access_token": access_token, "token_type": "Bearer", "id_token": id_token }))
            }
            None => error(StatusCode::INTERNAL_SERVER_ERROR, "server_error"),
        }
    }

    fn id_token(&self, grant: &Grant, person: &DevPerson) -> Option<String> {
        let claims = Value::Object(self.claims(grant, person));
        match self.fault {
            Some(DevFault::AlgNone) => self.key.sign(&claims, ScriptedSignature::Missing),
            Some(DevFault::AlgHs256) => self.key.sign(&claims, ScriptedSignature::PublicKeyAsSecret),
            Some(DevFault::TwoKeys) => self.key.sign(&claims, ScriptedSignature::Anonymous),
            Some(DevFault::UnknownKey) => self.other_key.sign(&claims, ScriptedSignature::Right),
            _ => self.key.sign(&claims, ScriptedSignature::Right),
        }
    }

    fn claims(&self, grant: &Grant, person: &DevPerson) -> Map<String, Value> {
        let now = Clock::system().now().as_seconds();
        let (issued, expires) = match self.fault {
            Some(DevFault::Expired) => (now - 15 * MINUTE, now - 10 * MINUTE),
            Some(DevFault::Future) => (now + 10 * MINUTE, now + 15 * MINUTE),
            _ => (now, now + 5 * MINUTE),
        };
        let mut claims = person.userinfo();
        if self.fault == Some(DevFault::UserinfoSubject) {
            claims.retain(|name, _| name == "sub");
        }
        let mut set = |name: &str, value: Value| drop(claims.insert(name.to_owned(), value));
        set("iss", json!(self.token_issuer(grant, person)));
        set("iat", json!(issued));
        set("exp", json!(expires));
        set("aud", json!(CLIENT_ID));
        match self.fault {
            Some(DevFault::Audience) => set("aud", json!("another-client")),
            Some(DevFault::Azp) => {
                set("aud", json!([CLIENT_ID, "another-client"]));
                set("azp", json!("another-client"));
            }
            _ => {}
        }
        let another = || Some("another-nonce".to_owned());
        let nonce = if self.fault == Some(DevFault::Nonce) { another() } else { grant.nonce.clone() };
        if let Some(nonce) = nonce {
            set("nonce", json!(nonce));
        }
        for (name, value) in &person.claims {
            if value.is_null() {
                claims.remove(name);
            } else {
                claims.insert(name.clone(), value.clone());
            }
        }
        claims
    }

    fn token_issuer(&self, grant: &Grant, person: &DevPerson) -> String {
        match &grant.flavor {
            _ if self.fault == Some(DevFault::Issuer) => self.another(),
            Flavor::Microsoft(tenant) => {
                let tid = person.claims.get("tid").and_then(Value::as_str).unwrap_or(tenant);
                format!("{}/{tid}/v2.0", self.origin)
            }
            _ => self.issuer(),
        }
    }
}

/// Whether a secret is one that Apple would take, apart from its signature: there is no key to verify it with.
fn is_apple(secret: &str) -> bool {
    let claims = secret.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let claims = claims.and_then(|claims| serde_json::from_slice::<Value>(&claims).ok());
    claims.is_some_and(|claims| claims.get("sub").and_then(Value::as_str) == Some(CLIENT_ID))
}
