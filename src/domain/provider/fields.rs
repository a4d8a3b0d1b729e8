//! What an operator says of a provider, as text, and the rules that make a record of it.

use super::field_error::ProviderFieldError;
use super::secret::{GivenSecret, ProviderSecret};
use super::{kinds, values};
use crate::model::provider::{Provider, ProviderName};

/// The fields of a provider as they were given; one that was not has the default of its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderFields {
    pub kind: Option<String>,
    pub issuer: Option<String>,
    pub client_id: Option<String>,
    pub tenant: Option<String>,
    pub team_id: Option<String>,
    pub key_id: Option<String>,
    pub scopes: Option<String>,
    pub label: Option<String>,
    pub email: Option<String>,
    pub mfa: Option<String>,
    pub signup: Option<String>,
}

impl ProviderFields {
    /// The field of this name, as a file of providers calls it.
    pub(super) fn of_name(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "kind" => &mut self.kind,
            "issuer" => &mut self.issuer,
            "client_id" => &mut self.client_id,
            "tenant" => &mut self.tenant,
            "team_id" => &mut self.team_id,
            "key_id" => &mut self.key_id,
            "scopes" => &mut self.scopes,
            "label" => &mut self.label,
            "email" => &mut self.email,
            "mfa" => &mut self.mfa,
            "signup" => &mut self.signup,
            _ => return None,
        })
    }
}

/// A provider with its secret, each checked, and both fit each other.
pub struct WholeProvider {
    pub(super) provider: Provider,
    /// The client's secret or Apple's key.
    pub(super) secret: ProviderSecret,
}

impl WholeProvider {
    /// Checks what was given for a new provider.
    pub fn new(
        name: ProviderName,
        fields: &ProviderFields,
        secret: Option<GivenSecret>,
    ) -> Result<Self, ProviderFieldError> {
        let provider = fields.provider(name)?;
        let secret = ProviderSecret::required(provider.kind, secret)?;
        Ok(Self { provider, secret })
    }

    pub fn name(&self) -> &ProviderName {
        &self.provider.name
    }
}

impl ProviderFields {
    /// The fields of a record, each given.
    fn of(provider: &Provider) -> Self {
        let apple = provider.apple.as_ref();
        Self {
            kind: Some(provider.kind.as_str().to_owned()),
            issuer: Some(provider.issuer.clone()),
            client_id: Some(provider.client_id.clone()),
            tenant: provider.tenant.map(|tenant| tenant.to_string()),
            team_id: apple.map(|key| key.team_id.clone()),
            key_id: apple.map(|key| key.key_id.clone()),
            scopes: Some(provider.scopes.join(" ")),
            label: Some(provider.label.clone()),
            email: Some(provider.email.as_str().to_owned()),
            mfa: Some(provider.mfa.as_str().to_owned()),
            signup: Some(values::on_or_off(provider.signup).to_owned()),
        }
    }

    pub(super) fn provider(&self, name: ProviderName) -> Result<Provider, ProviderFieldError> {
        let kind = kinds::kind(&name, self.kind.as_deref())?;
        let issuer = kinds::issuer(kind, self.issuer.as_deref())?;
        let client_id = values::client_id(self.client_id.as_deref())?;
        let tenant = kinds::tenant(kind, self.tenant.as_deref())?;
        let apple = kinds::apple(kind, self.team_id.as_deref(), self.key_id.as_deref())?;
        let scopes = kinds::scopes(kind, self.scopes.as_deref())?;
        let label = values::label(self.label.as_deref().unwrap_or(kind.label().unwrap_or(name.as_str())))?;
        let email = kinds::email(kind, tenant, self.email.as_deref())?;
        let mfa = values::mfa(self.mfa.as_deref())?;
        let signup = values::signup(self.signup.as_deref())?;
        Ok(Provider { name, kind, issuer, client_id, tenant, apple, scopes, label, email, mfa, signup })
    }

    /// The record with the fields that were given in the place of its own.
    pub(super) fn over(&self, provider: &Provider) -> Result<Provider, ProviderFieldError> {
        let stored = Self::of(provider);
        let given = self.clone();
        let fields = Self {
            kind: given.kind.or(stored.kind),
            issuer: given.issuer.or(stored.issuer),
            client_id: given.client_id.or(stored.client_id),
            tenant: given.tenant.or(stored.tenant),
            team_id: given.team_id.or(stored.team_id),
            key_id: given.key_id.or(stored.key_id),
            scopes: given.scopes.or(stored.scopes),
            label: given.label.or(stored.label),
            email: given.email.or(stored.email),
            mfa: given.mfa.or(stored.mfa),
            signup: given.signup.or(stored.signup),
        };
        fields.provider(provider.name.clone())
    }
}

/// The names of the fields in which two records of one provider differ.
pub(super) fn differences(one: &Provider, other: &Provider) -> Vec<&'static str> {
    let (team, key) = (
        |of: &Provider| of.apple.as_ref().map(|key| key.team_id.clone()),
        |of: &Provider| of.apple.as_ref().map(|key| key.key_id.clone()),
    );
    let fields = [
        ("kind", one.kind != other.kind),
        ("issuer", one.issuer != other.issuer),
        ("client_id", one.client_id != other.client_id),
        ("tenant", one.tenant != other.tenant),
        ("team_id", team(one) != team(other)),
        ("key_id", key(one) != key(other)),
        ("scopes", one.scopes != other.scopes),
        ("label", one.label != other.label),
        ("email", one.email != other.email),
        ("mfa", one.mfa != other.mfa),
        ("signup", one.signup != other.signup),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

/// Whether what waits with a provider ends, as one of these fields was changed since: it is of another client, or was
/// believed under other rules.
pub(super) fn ends_logins(changed: &[&'static str]) -> bool {
    let decisive = ["kind", "issuer", "client_id", "tenant", "scopes", "email", "mfa", "signup"];
    decisive.iter().any(|field| changed.contains(field))
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
