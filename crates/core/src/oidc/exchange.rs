//! Requests to a provider.

use super::addresses;
use super::cache::fresh_for;
use super::encoding::{encoded, form};
use super::endpoints::{Endpoints, SecretPlace, SecretPlaces};
use super::fault::{Asked, ProviderFault};
use crate::crypto::apple_key::AppleKey;
use crate::model::provider::Provider;
use crate::model::time::Time;
use crate::outbound::{ExternalRequest, ExternalShare, ExternalUrl, ServerAnswer};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use zeroize::Zeroizing;

/// What goes to the token endpoint, apart from who asks.
#[derive(Clone, Copy)]
pub(super) struct Redeemed<'a> {
    pub(super) code: &'a str,
    pub(super) verifier: &'a str,
    pub(super) redirect_uri: &'a str,
}

/// The tokens of an answer, as far as they are used; none is kept.
#[derive(Deserialize)]
pub(super) struct Tokens {
    pub(super) id_token: Option<SecretString>,
    pub(super) access_token: Option<SecretString>,
}

/// An error of OAuth (RFC 6749, 5.2). GitHub sends it with status 200.
#[derive(Deserialize)]
struct SentError {
    error: String,
    error_description: Option<String>,
}

/// Where a client's secret was taken last, of the two places that its provider names.
#[derive(Debug, Default)]
pub(super) struct KnownPlace {
    is_form: AtomicBool,
}

impl KnownPlace {
    fn get(&self) -> SecretPlace {
        if self.is_form.load(Ordering::Relaxed) { SecretPlace::Form } else { SecretPlace::Header }
    }

    fn set(&self, place: SecretPlace) {
        self.is_form.store(place == SecretPlace::Form, Ordering::Relaxed);
    }
}

/// Sends a request, and reads the answer, whatever its status.
async fn send(
    external: ExternalShare<'_>,
    provider: &Provider,
    url: &ExternalUrl,
    request: ExternalRequest,
    asked: Asked,
) -> Result<ServerAnswer, ProviderFault> {
    let answer = external.ask(url, addresses::named_by(provider, url), request).await;
    answer.map_err(|error| ProviderFault::Unreachable { asked, error })
}

/// Sends a request; the answer has status 200.
async fn ask(
    external: ExternalShare<'_>,
    provider: &Provider,
    url: &ExternalUrl,
    request: ExternalRequest,
    asked: Asked,
) -> Result<ServerAnswer, ProviderFault> {
    accepted(send(external, provider, url, request, asked).await?, asked)
}

/// An answer with status 200 that is no error.
fn accepted(answer: ServerAnswer, asked: Asked) -> Result<ServerAnswer, ProviderFault> {
    refusal(&answer, asked).map_or(Ok(answer), Err)
}

fn refusal(answer: &ServerAnswer, asked: Asked) -> Option<ProviderFault> {
    let error = serde_json::from_slice::<SentError>(&answer.body).ok();
    match (answer.status.as_u16(), error) {
        (200 | 400..500, Some(SentError { error, error_description })) if asked == Asked::Token => {
            let description = error_description.as_deref().map(ProviderFault::shown);
            Some(ProviderFault::Refused { asked, code: ProviderFault::error_code(&error), description })
        }
        (200, _) => None,
        (status, _) => Some(ProviderFault::Status { asked, status }),
    }
}

/// A document, and how long it may be kept. It serves all people, so it takes no place of the site that asks first.
pub(super) async fn document(
    external: ExternalShare<'_>,
    provider: &Provider,
    url: &ExternalUrl,
    asked: Asked,
) -> Result<(ServerAnswer, Duration), ProviderFault> {
    let answer = ask(external.own(), provider, url, ExternalRequest::get(), asked).await?;
    let cache_control = answer.headers.get_all("cache-control").iter().filter_map(|value| value.to_str().ok());
    let fresh_for = fresh_for(cache_control);
    Ok((answer, fresh_for))
}

/// What the provider tells to who has a token of the person's.
pub(super) async fn personal(
    external: ExternalShare<'_>,
    provider: &Provider,
    url: &ExternalUrl,
    access_token: &str,
) -> Result<ServerAnswer, ProviderFault> {
    let bearer = Zeroizing::new(format!("Bearer {access_token}"));
    let request = ExternalRequest::get().authorized(&bearer).ok_or(ProviderFault::Missing("access token"))?;
    ask(external, provider, url, request, Asked::Userinfo).await
}

/// What the token endpoint answers to a code.
pub(super) struct TokenAnswer {
    pub(super) answer: ServerAnswer,
    pub(super) refusal: Option<ProviderFault>,
}

impl TokenAnswer {
    pub(super) fn tokens(self) -> Result<Tokens, ProviderFault> {
        match self.refusal {
            Some(fault) => Err(fault),
            None => serde_json::from_slice(&self.answer.body).map_err(|_| ProviderFault::Malformed(Asked::Token)),
        }
    }

    fn refuses_client(&self) -> bool {
        self.refusal.as_ref().is_some_and(ProviderFault::refuses_client)
    }
}

/// Presents a code at the token endpoint (RFC 6749, 4.1.3; RFC 7636, 4.5). A client that is refused with its secret in one
/// place is tried with the other: a code is looked at only after the client.
pub(super) async fn present(
    external: ExternalShare<'_>,
    provider: &Provider,
    endpoints: &Endpoints,
    secret: &SecretString,
    redeemed: Redeemed<'_>,
    known: &KnownPlace,
    now: Time,
) -> Result<TokenAnswer, ProviderFault> {
    let secret = client_secret(provider, secret, now)?;
    let present_with = async |place| {
        let request = token_request(provider, place, &secret, redeemed)?;
        let answer = send(external, provider, &endpoints.token, request, Asked::Token).await?;
        let refusal = refusal(&answer, Asked::Token);
        let refusal = refusal.map(|fault| fault.without(&[&secret, redeemed.code, redeemed.verifier]));
        Ok(TokenAnswer { answer, refusal })
    };
    let first = match endpoints.secret_places {
        SecretPlaces::One(place) => return present_with(place).await,
        SecretPlaces::Both => known.get(),
    };
    let answer = present_with(first).await?;
    if !answer.refuses_client() {
        return Ok(answer);
    }
    let answer = present_with(first.other()).await?;
    if !answer.refuses_client() {
        known.set(first.other());
    }
    Ok(answer)
}

/// The secret as it is sent: what the record has, or for Apple what its key signs now.
fn client_secret(provider: &Provider, secret: &SecretString, now: Time) -> Result<Zeroizing<String>, ProviderFault> {
    let Some(name) = &provider.apple else { return Ok(Zeroizing::new(secret.expose_secret().to_owned())) };
    let key = AppleKey::from_pem(secret.expose_secret()).map_err(|_| ProviderFault::Secret)?;
    key.client_secret(name, &provider.client_id, &provider.issuer, now).ok_or(ProviderFault::Secret)
}

fn token_request(
    provider: &Provider,
    place: SecretPlace,
    secret: &str,
    redeemed: Redeemed<'_>,
) -> Result<ExternalRequest, ProviderFault> {
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", redeemed.code),
        ("redirect_uri", redeemed.redirect_uri),
        ("code_verifier", redeemed.verifier),
    ];
    if place == SecretPlace::Form {
        fields.extend([("client_id", provider.client_id.as_str()), ("client_secret", secret)]);
        return Ok(ExternalRequest::form(&form(&fields)));
    }
    let credentials = basic(&provider.client_id, secret);
    ExternalRequest::form(&form(&fields)).authorized(&credentials).ok_or(ProviderFault::Secret)
}

/// Id and secret, each encoded as in a form first (RFC 6749, 2.3.1).
fn basic(client_id: &str, secret: &str) -> Zeroizing<String> {
    let pair = Zeroizing::new(format!("{}:{}", *encoded(client_id), *encoded(secret)));
    Zeroizing::new(format!("Basic {}", STANDARD.encode(pair.as_bytes())))
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
