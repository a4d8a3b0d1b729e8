//! What an ID token says, checked (`OpenID Connect Core`, 3.1.3.7).

use super::addresses;
use super::fault::ProviderFault;
use super::metadata::TENANT_PLACEHOLDER;
use crate::crypto::id_token::SignedClaims;
use crate::crypto::login_secrets::ReturnSecrets;
use crate::model::provider::{Provider, ProviderKind, Tenant};
use crate::model::time::Time;
use serde_json::{Map, Value};
use std::time::Duration;
use uuid::Uuid;

pub(super) const SKEW: Duration = Duration::from_mins(2);
/// Longer subjects are refused (`OpenID Connect Core`, 2: 255 ASCII characters).
const MAX_SUBJECT_BYTES: usize = 255;

/// What is said of a person, by name.
pub(super) type PersonClaims = Map<String, Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TokenSubject {
    pub(super) issuer: String,
    pub(super) subject: String,
}

/// Checks what a token says, whose signature is right.
pub(super) fn check(
    signed: &SignedClaims,
    provider: &Provider,
    secrets: &ReturnSecrets,
    now: Time,
) -> Result<TokenSubject, ProviderFault> {
    let claims = &signed.claims;
    let issuer = issuer(signed, provider)?;
    check_audience(claims, &provider.client_id)?;
    check_times(claims, now)?;
    let nonce = text(claims, "nonce").ok_or(ProviderFault::Nonce)?;
    if !secrets.has_nonce(nonce) {
        return Err(ProviderFault::Nonce);
    }
    // Microsoft's `sub` is another one for each client id, its `oid` is unique in a tenant.
    let name = if provider.kind == ProviderKind::Microsoft { "oid" } else { "sub" };
    Ok(TokenSubject { issuer, subject: subject(claims, name)?.to_owned() })
}

/// A subject that can be stored and shown.
pub(super) fn subject<'a>(claims: &'a PersonClaims, name: &'static str) -> Result<&'a str, ProviderFault> {
    text(claims, name).filter(|subject| is_usable_subject(subject)).ok_or(ProviderFault::Missing(name))
}

/// Whether a subject can be stored and shown.
pub(super) fn is_usable_subject(subject: &str) -> bool {
    !subject.is_empty() && subject.len() <= MAX_SUBJECT_BYTES && !subject.chars().any(char::is_control)
}

pub(super) fn text<'a>(claims: &'a PersonClaims, name: &str) -> Option<&'a str> {
    claims.get(name)?.as_str()
}

/// A claim that is a time in seconds (RFC 7519, 2: `NumericDate`).
pub(super) fn time(claims: &PersonClaims, name: &str) -> Option<Time> {
    let value = claims.get(name)?;
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates")]
    let seconds = value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds.floor() as i64))?;
    seconds.checked_mul(1_000_000).map(Time::from_micros)
}

/// The issuer, exactly. Microsoft's has the tenant of the token, which the record must permit.
fn issuer(signed: &SignedClaims, provider: &Provider) -> Result<String, ProviderFault> {
    let claims = &signed.claims;
    let found = text(claims, "iss").ok_or(ProviderFault::Missing("iss"))?;
    let tenant = match provider.kind {
        ProviderKind::Microsoft => Some(permitted_tenant(claims, provider.tenant)?),
        _ => None,
    };
    let expected = tenant.map_or_else(|| provider.issuer.clone(), |tenant| of_tenant(provider, tenant));
    if found != expected {
        return Err(ProviderFault::Issuer { found: ProviderFault::shown(found), expected });
    }
    if let Some(stated) = &signed.key_issuer {
        let served = match tenant {
            Some(tenant) => stated.replace(TENANT_PLACEHOLDER, &tenant.to_string()),
            None => stated.clone(),
        };
        if served != expected {
            return Err(ProviderFault::KeyIssuer(ProviderFault::shown(stated)));
        }
    }
    Ok(expected)
}

fn permitted_tenant(claims: &PersonClaims, permitted: Option<Tenant>) -> Result<Uuid, ProviderFault> {
    let tid = text(claims, "tid").ok_or(ProviderFault::Missing("tid"))?;
    let refused = || ProviderFault::Tenant(ProviderFault::shown(tid));
    let tenant = Uuid::try_parse(tid).map_err(|_| refused())?;
    // A record without one permits none.
    if permitted.is_some_and(|permitted| permitted.permits(tenant)) { Ok(tenant) } else { Err(refused()) }
}

/// Microsoft's issuer of one tenant.
pub(super) fn of_tenant(provider: &Provider, tenant: Uuid) -> String {
    format!("{}/{tenant}/v2.0", addresses::origin(provider))
}

/// This client is the audience; where it is one of several, and wherever that is said, the token was issued to it.
fn check_audience(claims: &PersonClaims, client_id: &str) -> Result<(), ProviderFault> {
    let is_client = |value: &Value| value.as_str() == Some(client_id);
    let several = match claims.get("aud") {
        Some(Value::Array(audiences)) if audiences.iter().any(is_client) => audiences.len() > 1,
        Some(audience) if is_client(audience) => false,
        _ => return Err(ProviderFault::Audience),
    };
    match claims.get("azp") {
        Some(party) if !is_client(party) => Err(ProviderFault::AuthorizedParty),
        None if several => Err(ProviderFault::AuthorizedParty),
        _ => Ok(()),
    }
}

fn check_times(claims: &PersonClaims, now: Time) -> Result<(), ProviderFault> {
    let expires_at = time(claims, "exp").ok_or(ProviderFault::Missing("exp"))?;
    let issued_at = time(claims, "iat").ok_or(ProviderFault::Missing("iat"))?;
    if expires_at + SKEW < now {
        return Err(ProviderFault::Expired);
    }
    let not_before = match claims.get("nbf") {
        Some(_) => time(claims, "nbf").ok_or(ProviderFault::Missing("nbf"))?,
        None => issued_at,
    };
    if issued_at.max(not_before) > now + SKEW {
        return Err(ProviderFault::Future);
    }
    Ok(())
}

#[cfg(test)]
#[path = "claims_tests.rs"]
mod tests;
