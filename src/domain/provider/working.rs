//! Which accounts at providers log in now.

use crate::store::{IdentityRow, ProviderList};

/// Whether an account at a provider logs in now: the provider exists, and has its secret.
pub fn logs_in(providers: &ProviderList, row: &IdentityRow) -> bool {
    providers.find(&row.provider).is_some_and(|provider| provider.secret.is_some())
}
