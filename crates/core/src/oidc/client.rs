//! One login with a provider: where it begins, and what its answer says.

use super::addresses::{self, GitHubAddresses};
use super::authorization::{self, AuthorizationRequest};
use super::callback::CallbackParams;
use super::claims::{self, PersonClaims};
use super::documents::{Documents, ProviderDocuments};
use super::email_trust;
use super::endpoints::Endpoints;
use super::exchange::{self, Redeemed, Tokens};
use super::fault::{Asked, ProviderFault};
use super::metadata::OpenIdMetadata;
use super::profile::{self, ProviderProfile};
use crate::clock::Clock;
use crate::crypto::id_token::{self, IdTokenError, IdTokenKeys, SignedClaims};
use crate::crypto::login_secrets::ReturnSecrets;
use crate::crypto::token_hash::LinkToken;
use crate::model::provider::{Provider, ProviderKind};
use crate::model::strict_json;
use crate::outbound::{ExternalShare, ExternalUrl};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Speaks with providers. Hold no database connection meanwhile: each request takes up to five seconds.
#[derive(Clone, Copy, Debug)]
pub struct ProviderClient<'a> {
    /// The client for servers that others name.
    pub external: ExternalShare<'a>,
    pub documents: &'a ProviderDocuments,
    /// The clock that decides what has expired.
    pub clock: &'a Clock,
}

/// What redeems a code, apart from what the browser brought.
#[derive(Clone, Copy)]
pub struct Redemption<'a> {
    /// The client's secret; for Apple the private key, as its file has it.
    pub client_secret: &'a SecretString,
    /// The address to which the browser was to come back, as the provider was told it.
    pub redirect_uri: &'a str,
    /// What was sealed since the login began.
    pub secrets: &'a ReturnSecrets,
}

impl ProviderClient<'_> {
    /// Begins a login. Asks the provider only where its metadata are not kept.
    pub async fn authorization_request(
        &self,
        provider: &Provider,
        redirect_uri: &str,
        login_hint: Option<&str>,
    ) -> Result<AuthorizationRequest, ProviderFault> {
        let random = |_| ProviderFault::Random;
        let (state, secrets) = (LinkToken::generate().map_err(random)?, ReturnSecrets::generate().map_err(random)?);
        let endpoints = self.endpoints(provider).await?;
        let address = authorization::address(provider, &endpoints, redirect_uri, &state, &secrets, login_hint);
        Ok(AuthorizationRequest { address, state, secrets })
    }

    /// Ends a login: checks what the browser brought, redeems its code, and checks what the provider says. The state is
    /// the caller's to check.
    pub async fn profile(
        &self,
        provider: &Provider,
        redemption: Redemption<'_>,
        callback: CallbackParams<'_>,
    ) -> Result<ProviderProfile, ProviderFault> {
        if provider.kind == ProviderKind::GitHub {
            return self.github_profile(provider, redemption, callback).await;
        }
        let documents = self.documents.of(provider);
        let metadata = self.metadata(provider, &documents).await?;
        let code = callback.code(provider, metadata.endpoints.promises_issuer)?;
        let tokens = self.redeem(provider, &metadata.endpoints, redemption, code).await?;
        let id_token = tokens.id_token.as_ref().ok_or(ProviderFault::Missing("ID token"))?;
        let signed = self.verify(provider, &metadata, &documents, id_token.expose_secret()).await?;
        let now = self.clock.now();
        let subject = claims::check(&signed, provider, redemption.secrets, now)?;
        callback.check_issuer(provider, &subject.issuer)?;
        let claims = signed.claims;
        let userinfo = match (&metadata.userinfo, claims::text(&claims, "email")) {
            (Some(url), None) => self.userinfo(provider, url, &tokens, claims::subject(&claims, "sub")?).await?,
            _ => PersonClaims::new(),
        };
        let name_of_apple = || callback.user.filter(|_| provider.kind == ProviderKind::Apple);
        Ok(ProviderProfile {
            issuer: subject.issuer,
            subject: subject.subject,
            email: email_trust::of_claims(provider, &claims).or_else(|| email_trust::of_claims(provider, &userinfo)),
            name: profile::name(&claims)
                .or_else(|| profile::name(&userinfo))
                .or_else(|| profile::name_of_apple(name_of_apple()?)),
            second_factor: profile::second_factor(provider, &claims),
            authenticated_at: profile::authenticated_at(&claims, now),
        })
    }

    async fn endpoints(&self, provider: &Provider) -> Result<Endpoints, ProviderFault> {
        if provider.kind == ProviderKind::GitHub {
            return Ok(GitHubAddresses::of(provider)?.endpoints);
        }
        Ok(self.metadata(provider, &self.documents.of(provider)).await?.endpoints.clone())
    }

    pub(super) async fn redeem(
        &self,
        provider: &Provider,
        endpoints: &Endpoints,
        redemption: Redemption<'_>,
        code: &str,
    ) -> Result<Tokens, ProviderFault> {
        let Redemption { client_secret, redirect_uri, secrets } = redemption;
        let redeemed = Redeemed { code, verifier: secrets.verifier(), redirect_uri };
        let (documents, now) = (self.documents.of(provider), self.clock.now());
        let place = &documents.secret_place;
        exchange::present(self.external, provider, endpoints, client_secret, redeemed, place, now).await?.tokens()
    }

    async fn metadata(&self, provider: &Provider, documents: &Documents) -> Result<Arc<OpenIdMetadata>, ProviderFault> {
        let fetch = async || {
            let url = addresses::metadata(provider)?;
            let (answer, fresh_for) = exchange::document(self.external, provider, &url, Asked::Metadata).await?;
            Ok((OpenIdMetadata::parse(&answer.body, provider)?, fresh_for))
        };
        documents.metadata.get(self.clock, fetch).await
    }

    async fn keys(
        &self,
        provider: &Provider,
        metadata: &OpenIdMetadata,
        documents: &Documents,
    ) -> Result<Arc<IdTokenKeys>, ProviderFault> {
        documents.keys.get(self.clock, async || self.fetch_keys(provider, metadata).await).await
    }

    pub(super) async fn fetch_keys(
        &self,
        provider: &Provider,
        metadata: &OpenIdMetadata,
    ) -> Result<(IdTokenKeys, Duration), ProviderFault> {
        let (answer, fresh_for) = exchange::document(self.external, provider, &metadata.keys, Asked::Keys).await?;
        Ok((IdTokenKeys::parse(&answer.body)?, fresh_for))
    }

    /// The claims of a token, if it is signed; keys that are unknown are fetched again, at most once a minute.
    async fn verify(
        &self,
        provider: &Provider,
        metadata: &OpenIdMetadata,
        documents: &Documents,
        token: &str,
    ) -> Result<SignedClaims, ProviderFault> {
        let keys = self.keys(provider, metadata, documents).await?;
        match id_token::verify(token, &keys) {
            Err(IdTokenError::UnknownKey) => {
                let fetch = async || self.fetch_keys(provider, metadata).await;
                let keys = documents.keys.renewed(self.clock, fetch).await.unwrap_or(keys);
                Ok(id_token::verify(token, &keys)?)
            }
            verified => Ok(verified?),
        }
    }

    /// GitHub is no OpenID provider: what its API says of a person.
    async fn github_profile(
        &self,
        provider: &Provider,
        redemption: Redemption<'_>,
        callback: CallbackParams<'_>,
    ) -> Result<ProviderProfile, ProviderFault> {
        let addresses = GitHubAddresses::of(provider)?;
        let code = callback.code(provider, addresses.endpoints.promises_issuer)?;
        let tokens = self.redeem(provider, &addresses.endpoints, redemption, code).await?;
        let access_token = tokens.access_token.as_ref().ok_or(ProviderFault::Missing("access token"))?.expose_secret();
        let user = exchange::personal(self.external, provider, &addresses.user, access_token).await?;
        let user: PersonClaims = github_json(&user.body)?;
        let emails = match exchange::personal(self.external, provider, &addresses.emails, access_token).await {
            Ok(answer) => github_json(&answer.body)?,
            // The application may not read addresses.
            Err(ProviderFault::Status { status: 403 | 404, .. }) => Value::Null,
            Err(fault) => return Err(fault),
        };
        Ok(ProviderProfile {
            issuer: addresses::origin(provider).to_owned(),
            subject: user.get("id").and_then(Value::as_u64).ok_or(ProviderFault::Missing("id"))?.to_string(),
            email: email_trust::of_github(provider, &emails),
            name: profile::name(&user),
            second_factor: false,
            authenticated_at: None,
        })
    }

    /// What userinfo says of the same person (`OpenID Connect Core`, 5.3.2).
    async fn userinfo(
        &self,
        provider: &Provider,
        url: &ExternalUrl,
        tokens: &Tokens,
        subject: &str,
    ) -> Result<PersonClaims, ProviderFault> {
        let access_token = tokens.access_token.as_ref().ok_or(ProviderFault::Missing("access token"))?;
        let answer = exchange::personal(self.external, provider, url, access_token.expose_secret()).await?;
        let claims = userinfo_claims(&answer.body)?;
        if claims::text(&claims, "sub") != Some(subject) {
            return Err(ProviderFault::UserinfoSubject);
        }
        Ok(claims)
    }
}

/// The claims of userinfo, none twice.
fn userinfo_claims(body: &[u8]) -> Result<PersonClaims, ProviderFault> {
    let malformed = ProviderFault::Malformed(Asked::Userinfo);
    let Ok(text) = std::str::from_utf8(body) else { return Err(malformed) };
    let is_strict = strict_json::check_object(text).is_ok();
    serde_json::from_str(text).ok().filter(|_| is_strict).ok_or(malformed)
}

fn github_json<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ProviderFault> {
    serde_json::from_slice(body).map_err(|_| ProviderFault::Malformed(Asked::Userinfo))
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
