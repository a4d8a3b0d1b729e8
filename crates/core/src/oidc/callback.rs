//! What a browser brings back from a provider.

use super::claims::of_tenant;
use super::fault::ProviderFault;
use super::metadata::TENANT_PLACEHOLDER;
use crate::model::provider::{Provider, ProviderKind};
use uuid::Uuid;

/// The parameters of the redirect, besides the state.
#[derive(Clone, Copy, Default)]
pub struct CallbackParams<'a> {
    pub code: Option<&'a str>,
    /// `error` (RFC 6749, 4.1.2.1).
    pub error: Option<&'a str>,
    /// `iss` (RFC 9207).
    pub iss: Option<&'a str>,
    /// `user`, of Apple only.
    pub user: Option<&'a str>,
}

impl<'a> CallbackParams<'a> {
    /// The code, unless the login was refused there. An answer of another issuer has neither (RFC 9207, 2.4).
    pub(super) fn code(self, provider: &Provider, promises_issuer: bool) -> Result<&'a str, ProviderFault> {
        match self.iss {
            Some(iss) if !may_be_of(provider, iss) => {
                return Err(ProviderFault::ReturnedIssuer(ProviderFault::shown(iss)));
            }
            None if promises_issuer => return Err(ProviderFault::ReturnedWithoutIssuer),
            _ => {}
        }
        match (self.error, self.code) {
            (Some(error), _) => Err(ProviderFault::Denied(ProviderFault::error_code(error))),
            (None, Some(code)) if !code.is_empty() => Ok(code),
            (None, _) => Err(ProviderFault::WithoutCode),
        }
    }

    /// Whether the answer is of the issuer that the token turned out to be of, where it says.
    pub(super) fn check_issuer(self, provider: &Provider, issuer: &str) -> Result<(), ProviderFault> {
        match self.iss {
            Some(iss) if iss != issuer && !is_template(provider, iss) => {
                Err(ProviderFault::ReturnedIssuer(ProviderFault::shown(iss)))
            }
            _ => Ok(()),
        }
    }
}

/// Whether an answer may be of a provider, as far as that is known before the token.
fn may_be_of(provider: &Provider, iss: &str) -> bool {
    match provider.kind {
        ProviderKind::Microsoft => is_template(provider, iss) || tenants(iss).any(|id| iss == of_tenant(provider, id)),
        // GitHub has no issuer of its own in OAuth; where it states one, that of its authorization server counts.
        ProviderKind::GitHub => {
            let origin = super::addresses::origin(provider);
            iss.strip_prefix(origin).is_some_and(|rest| matches!(rest, "" | "/login/oauth"))
        }
        _ => iss == provider.issuer,
    }
}

/// Whether it is Microsoft's issuer for several tenants.
fn is_template(provider: &Provider, iss: &str) -> bool {
    let origin = super::addresses::origin(provider);
    provider.kind == ProviderKind::Microsoft && iss == format!("{origin}/{TENANT_PLACEHOLDER}/v2.0")
}

fn tenants(iss: &str) -> impl Iterator<Item = Uuid> {
    iss.split('/').filter_map(|part| Uuid::try_parse(part).ok())
}

#[cfg(test)]
#[path = "callback_tests.rs"]
mod tests;
