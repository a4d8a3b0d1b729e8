//! The paths of the scripted provider.

use super::answer::{DevAnswer, document, error};
use super::form::{DevFields, bearer};
use super::grant::{Flavor, Grants};
use super::person::DevPerson;
use crate::cli::dev_args::DevFault;
use crate::cli::failure::Failure;
use crate::crypto::scripted_token::ScriptedKey;
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use serde_json::{Value, json};

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

pub(super) struct DevServer {
    pub(super) origin: String,
    pub(super) people: Vec<DevPerson>,
    pub(super) fault: Option<DevFault>,
    pub(super) key: ScriptedKey,
    /// A key that is published only where two are.
    pub(super) other_key: ScriptedKey,
    pub(super) grants: Grants,
}

impl DevServer {
    pub(super) fn new(origin: String, people: Vec<DevPerson>, fault: Option<DevFault>) -> Result<Self, Failure> {
        let key = || ScriptedKey::generate().map_err(|error| Failure::Refused(error.to_string()));
        Ok(Self { origin, people, fault, key: key()?, other_key: key()?, grants: Grants::default() })
    }

    pub(super) fn issuer(&self) -> String {
        let slash = if self.fault == Some(DevFault::IssuerSlash) { "/" } else { "" };
        format!("{}{slash}", self.origin)
    }

    pub(super) fn another(&self) -> String {
        format!("{}/another", self.origin)
    }

    pub(super) async fn answer(&self, request: Request<Incoming>) -> DevAnswer {
        let (head, body) = request.into_parts();
        let path = head.uri.path();
        let is_get = head.method == Method::GET;
        let query = || DevFields::of(head.uri.query().unwrap_or_default().as_bytes());
        if let Some(prefix) = path.strip_suffix(WELL_KNOWN).filter(|_| is_get) {
            return self.metadata(prefix);
        }
        let person = || self.grants.person(bearer(&head.headers)?);
        match (path, flavor(path)) {
            ("/keys", _) if is_get => self.keys(),
            ("/userinfo", _) => self.userinfo(person()),
            ("/api/v3/user", _) if is_get => self.of_person(person(), DevPerson::github_user),
            ("/api/v3/user/emails", _) if is_get => self.of_person(person(), |person, _| person.github_emails()),
            (_, Some((flavor, "authorize"))) if is_get => self.authorize(path, &flavor, &query()),
            (_, Some((flavor, "authorize"))) if head.method == Method::POST => {
                self.authorize(path, &flavor, &DevFields::of_body(body).await)
            }
            (_, Some((_, "token"))) if head.method == Method::POST => {
                self.token(&head.headers, &DevFields::of_body(body).await).await
            }
            _ => error(StatusCode::NOT_FOUND, "not_found"),
        }
    }

    fn metadata(&self, prefix: &str) -> DevAnswer {
        let (issuer, at) = match prefix.strip_suffix("/v2.0") {
            None if prefix.is_empty() => (self.issuer(), self.origin.clone()),
            Some(tenant) => {
                let shown = match tenant {
                    "/common" | "/organizations" => "/{tenantid}",
                    "/consumers" => "/9188040d-6c67-4c5b-b112-36a304b66dad",
                    tenant => tenant,
                };
                (format!("{}{shown}/v2.0", self.origin), format!("{}{tenant}", self.origin))
            }
            None => return error(StatusCode::NOT_FOUND, "not_found"),
        };
        document(&json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{at}/authorize"),
            "token_endpoint": format!("{at}/token"),
            "jwks_uri": format!("{}/keys", self.origin),
            "userinfo_endpoint": format!("{}/userinfo", self.origin),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "email", "profile"],
            "authorization_response_iss_parameter_supported": prefix.is_empty(),
        }))
    }

    fn keys(&self) -> DevAnswer {
        let mut keys = vec![self.key.jwk()];
        if self.fault == Some(DevFault::TwoKeys) {
            keys.push(self.other_key.jwk());
        }
        document(&json!({ "keys": keys }))
    }

    fn userinfo(&self, person: Option<usize>) -> DevAnswer {
        self.of_person(person, |person, _| {
            let mut claims = person.userinfo();
            if self.fault == Some(DevFault::UserinfoSubject) {
                claims.insert("sub".to_owned(), json!("another"));
            }
            Value::Object(claims)
        })
    }

    fn of_person(&self, person: Option<usize>, say: impl Fn(&DevPerson, usize) -> Value) -> DevAnswer {
        match person.and_then(|number| Some((number, self.people.get(number)?))) {
            Some((number, person)) => document(&say(person, number)),
            None => error(StatusCode::UNAUTHORIZED, "invalid_token"),
        }
    }
}

/// Whose rules an address of a login follows, and what it is.
fn flavor(path: &str) -> Option<(Flavor, &str)> {
    match path {
        "/authorize" => return Some((Flavor::OpenId, "authorize")),
        "/token" => return Some((Flavor::OpenId, "token")),
        "/login/oauth/authorize" => return Some((Flavor::GitHub, "authorize")),
        "/login/oauth/access_token" => return Some((Flavor::GitHub, "token")),
        _ => {}
    }
    let (tenant, what) = path.strip_prefix('/')?.split_once('/')?;
    Some((Flavor::Microsoft(tenant.to_owned()), what))
}
