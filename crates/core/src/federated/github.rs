//! GitHub, which is no OpenID provider: what its API says of a person.

use super::addresses::GitHubAddresses;
use super::answer::{ProviderAnswer, ReturnedAnswer};
use super::client::{ProviderClient, Redemption};
use super::fault::{Asked, ProviderFault};
use super::{addresses, claims, exchange, person, worth};
use crate::model::provider::Provider;
use secrecy::ExposeSecret;
use serde_json::Value;

pub(super) async fn answer(
    client: &ProviderClient<'_>,
    provider: &Provider,
    redemption: Redemption<'_>,
    returned: ReturnedAnswer<'_>,
) -> Result<ProviderAnswer, ProviderFault> {
    let addresses = GitHubAddresses::of(provider)?;
    let code = returned.code(provider, addresses.endpoints.promises_issuer)?;
    let tokens = client.redeem(provider, &addresses.endpoints, redemption, code).await?;
    let access_token = tokens.access_token.as_ref().ok_or(ProviderFault::Missing("access token"))?.expose_secret();
    let user = exchange::personal(client.foreign, provider, &addresses.user, access_token).await?;
    let user: claims::PersonClaims = parse(&user.body)?;
    let emails = match exchange::personal(client.foreign, provider, &addresses.emails, access_token).await {
        Ok(answer) => parse(&answer.body)?,
        // The application may not read addresses.
        Err(ProviderFault::Status { status: 403 | 404, .. }) => Value::Null,
        Err(fault) => return Err(fault),
    };
    Ok(ProviderAnswer {
        issuer: addresses::origin(provider).to_owned(),
        subject: user.get("id").and_then(Value::as_u64).ok_or(ProviderFault::Missing("id"))?.to_string(),
        email: worth::of_github(provider, &emails),
        name: person::name(&user),
        second_factor: false,
        authenticated_at: None,
    })
}

fn parse<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ProviderFault> {
    serde_json::from_slice(body).map_err(|_| ProviderFault::Malformed(Asked::Userinfo))
}
