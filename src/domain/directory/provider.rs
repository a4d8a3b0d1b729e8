//! Providers that people log in with, without their secrets.

use crate::model::time::Time;
use crate::settings::Origin;
use crate::store::ProviderRow;
use serde::Serialize;

/// A provider. The names of its fields are those of a file of providers.
#[derive(Debug, Serialize)]
pub struct ProviderRecord<'a> {
    pub name: &'a str,
    pub kind: &'static str,
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub tenant: Option<String>,
    pub team_id: Option<&'a str>,
    pub key_id: Option<&'a str>,
    /// Separated by spaces.
    pub scopes: String,
    pub label: &'a str,
    pub email: &'static str,
    pub mfa: &'static str,
    /// `on` or `off`.
    pub signup: &'static str,
    /// Whether its secret is there: it is not after the secret key was lost.
    pub has_secret: bool,
    /// The address to register at the provider.
    pub redirect_uri: String,
    created_at: Time,
    updated_at: Time,
}

impl<'a> ProviderRecord<'a> {
    /// Of a service at this public address.
    pub fn of(row: &'a ProviderRow, base_url: &Origin) -> Self {
        let provider = &row.provider;
        let apple = provider.apple.as_ref();
        Self {
            name: provider.name.as_str(),
            kind: provider.kind.as_str(),
            issuer: &provider.issuer,
            client_id: &provider.client_id,
            tenant: provider.tenant.map(|tenant| tenant.to_string()),
            team_id: apple.map(|key| key.team_id.as_str()),
            key_id: apple.map(|key| key.key_id.as_str()),
            scopes: provider.scopes.join(" "),
            label: &provider.label,
            email: provider.email.as_str(),
            mfa: provider.mfa.as_str(),
            signup: if provider.signup { "on" } else { "off" },
            has_secret: row.secret.is_some(),
            redirect_uri: provider.redirect_uri(base_url.as_str()),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}
