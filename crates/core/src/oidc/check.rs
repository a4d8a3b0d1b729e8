//! Checks a provider as its operator set it up: what it says of itself, and whether it knows this client.

use super::addresses::{self, GitHubAddresses};
use super::client::ProviderClient;
use super::endpoints::Endpoints;
use super::exchange::{self, KnownPlace, Redeemed};
use super::fault::{Asked, ProviderFault};
use super::metadata::OpenIdMetadata;
use crate::crypto::login_secrets::ReturnSecrets;
use crate::crypto::token_hash::LinkToken;
use crate::model::http_date;
use crate::model::provider::{Provider, ProviderKind};
use crate::model::time::Time;
use crate::outbound::ServerAnswer;
use secrecy::SecretString;
use std::time::Duration;

/// What a check of a provider found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderCheck {
    /// Whether its metadata and keys can be had and are right; GitHub has none.
    pub documents: Result<(), ProviderFault>,
    /// Whether its metadata promise PKCE with S256 (RFC 8414, 2); `None` if they are not known.
    pub promises_pkce: Option<bool>,
    /// Whether it takes this client's id and secret, by its answer to a code that it never gave; `None` if it was not
    /// asked, for want of a secret or of its metadata.
    pub client: Option<Result<(), ProviderFault>>,
    /// How far its clock and this machine's differ; `None` if it did not tell.
    pub clock_difference: Option<Duration>,
}

impl ProviderClient<'_> {
    /// Checks a provider, within ten seconds. What the process keeps of it is neither asked nor changed. Without a secret
    /// it is not tried whether the provider knows the client.
    pub async fn check(&self, provider: &Provider, secret: Option<&SecretString>, redirect_uri: &str) -> ProviderCheck {
        let mut found = ProviderCheck { documents: Ok(()), promises_pkce: None, client: None, clock_difference: None };
        if provider.kind == ProviderKind::GitHub {
            match (GitHubAddresses::of(provider), secret) {
                (Err(fault), _) => found.documents = Err(fault),
                (Ok(_), None) => {}
                (Ok(addresses), Some(secret)) => {
                    self.try_client(provider, &addresses.endpoints, secret, redirect_uri, &mut found).await;
                }
            }
            return found;
        }
        let metadata = match self.check_metadata(provider, &mut found).await {
            Ok(metadata) => metadata,
            Err(fault) => {
                found.documents = Err(fault);
                return found;
            }
        };
        let client = async {
            if let Some(secret) = secret {
                self.try_client(provider, &metadata.endpoints, secret, redirect_uri, &mut found).await;
            }
        };
        let (keys, ()) = tokio::join!(self.fetch_keys(provider, &metadata), client);
        found.documents = keys.map(drop);
        found
    }

    async fn check_metadata(
        &self,
        provider: &Provider,
        found: &mut ProviderCheck,
    ) -> Result<OpenIdMetadata, ProviderFault> {
        let url = addresses::metadata(provider)?;
        let (answer, _) = exchange::document(self.external, provider, &url, Asked::Metadata).await?;
        found.clock_difference = clock_difference(&answer, self.clock.now());
        let metadata = OpenIdMetadata::parse(&answer.body, provider)?;
        found.promises_pkce = Some(metadata.promises_pkce);
        Ok(metadata)
    }

    async fn try_client(
        &self,
        provider: &Provider,
        endpoints: &Endpoints,
        secret: &SecretString,
        redirect_uri: &str,
        found: &mut ProviderCheck,
    ) {
        let tried = async {
            let random = |_| ProviderFault::Random;
            let (code, secrets) = (LinkToken::generate().map_err(random)?, ReturnSecrets::generate().map_err(random)?);
            let redeemed = Redeemed { code: code.text(), verifier: secrets.verifier(), redirect_uri };
            let place = KnownPlace::default();
            exchange::present(self.external, provider, endpoints, secret, redeemed, &place, self.clock.now()).await
        };
        found.client = Some(match tried.await {
            Ok(answer) => {
                let difference = || clock_difference(&answer.answer, self.clock.now());
                found.clock_difference = found.clock_difference.or_else(difference);
                takes_client(answer.refusal)
            }
            Err(fault) => Err(fault),
        });
    }
}

/// Whether an answer to a wrong code is about the code, and not about the client.
fn takes_client(refusal: Option<ProviderFault>) -> Result<(), ProviderFault> {
    match refusal {
        // The second one is GitHub's.
        Some(ProviderFault::Refused { code, .. })
            if matches!(code.as_str(), "invalid_grant" | "bad_verification_code") =>
        {
            Ok(())
        }
        Some(fault) => Err(fault),
        // A code that it never gave is worth nothing.
        None => Err(ProviderFault::Malformed(Asked::Token)),
    }
}

/// How far the clock that wrote `Date` is from `now`. An answer that a cache kept is as old as it says (RFC 9111, 5.1).
fn clock_difference(answer: &ServerAnswer, now: Time) -> Option<Duration> {
    let header = |name| answer.headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let age = header("age").and_then(|age| age.parse().ok()).unwrap_or(0);
    let said = http_date::parse(header("date")?)? + Duration::from_secs(age);
    Some(said.since(now).max(now.since(said)))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
