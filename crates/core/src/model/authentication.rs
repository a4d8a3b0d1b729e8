//! How, where and when a person authenticated: what a session notes of the login that opened it.

use super::auth_method::{AuthMethod, AuthMethods};
use super::provider::ProviderName;
use super::time::Time;

/// A login, as its session notes it: one value, so that no part of it is lost between the first factor and the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authentication {
    /// The ways in which the person authenticated.
    pub methods: AuthMethods,
    /// The provider that the login came from; `None` for a login with the service's own means.
    pub provider: Option<ProviderName>,
    /// When the person authenticated, if that was before the login: at a provider, which may have said so.
    pub at: Option<Time>,
}

impl Authentication {
    /// A login at a provider, which `second_factor` says whether to count as one with two factors.
    pub fn by_provider(provider: ProviderName, second_factor: bool, at: Option<Time>) -> Self {
        let methods = AuthMethods::from(AuthMethod::Provider);
        let methods = if second_factor { methods.with(AuthMethod::ProviderMfa) } else { methods };
        Self { methods, provider: Some(provider), at }
    }

    /// The same login, in which the person also authenticated in this way.
    #[must_use]
    pub fn with(self, method: AuthMethod) -> Self {
        Self { methods: self.methods.with(method), ..self }
    }
}

impl From<AuthMethods> for Authentication {
    fn from(methods: AuthMethods) -> Self {
        Self { methods, provider: None, at: None }
    }
}

impl From<AuthMethod> for Authentication {
    fn from(method: AuthMethod) -> Self {
        AuthMethods::from(method).into()
    }
}
