//! Which accounts at providers log in now.

use crate::oidc::states_issuer;
use crate::store::{IdentityRow, ProviderList};

/// Whether an account at a provider logs in now: a provider of its issuer exists, under whatever name, and has its secret.
pub fn logs_in(providers: &ProviderList, row: &IdentityRow) -> bool {
    providers.iter().any(|provider| provider.secret.is_some() && states_issuer(&provider.provider, &row.issuer))
}
