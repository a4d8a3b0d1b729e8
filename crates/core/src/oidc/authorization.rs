//! The address at which a login with a provider begins.

use super::encoding::form;
use super::endpoints::Endpoints;
use crate::crypto::login_secrets::ReturnSecrets;
use crate::crypto::token_hash::LinkToken;
use crate::model::provider::{Provider, ProviderKind};

/// Longer hints are left out.
const MAX_HINT_BYTES: usize = 320;

/// An authorization request (RFC 6749, 4.1.1): the browser goes to the address, and comes back with the state. Both are
/// secrets until then.
pub struct AuthorizationRequest {
    pub address: String,
    /// What the provider sends back; stored as a hash.
    pub state: LinkToken,
    pub secrets: ReturnSecrets,
}

/// Without secrets.
impl std::fmt::Debug for AuthorizationRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthorizationRequest").finish_non_exhaustive()
    }
}

/// The address, with what the provider needs to know. A query that is there stays (RFC 6749, 3.1).
pub(super) fn address(
    provider: &Provider,
    endpoints: &Endpoints,
    redirect_uri: &str,
    state: &LinkToken,
    secrets: &ReturnSecrets,
    login_hint: Option<&str>,
) -> String {
    let (scopes, challenge) = (provider.scopes.join(" "), secrets.challenge());
    let mut fields = vec![
        ("response_type", "code"),
        ("client_id", &provider.client_id),
        ("redirect_uri", redirect_uri),
        ("scope", &scopes),
        ("state", state.text()),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    if provider.kind != ProviderKind::GitHub {
        fields.push(("nonce", secrets.nonce()));
    }
    if provider.kind == ProviderKind::Apple {
        // Apple refuses the scopes for name and address without it.
        fields.push(("response_mode", "form_post"));
    }
    let hint_name = if provider.kind == ProviderKind::GitHub { "login" } else { "login_hint" };
    fields.extend(login_hint.filter(|hint| hint.len() <= MAX_HINT_BYTES).map(|hint| (hint_name, hint)));
    let endpoint = endpoints.authorization.uri().to_string();
    let separator = match endpoint.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    format!("{endpoint}{separator}{}", *form(&fields))
}

#[cfg(test)]
#[path = "authorization_tests.rs"]
mod tests;
