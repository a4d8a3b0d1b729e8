//! How, where and when a person authenticated, and what of it proves who they are: the one rule of *recently proved*.
//!
//! A session keeps the time that follows from it ([`SessionView::is_proved_within`]). Pages, returns from providers, acts
//! of administrators and the gate's `fresh` all ask that.
//!
//! [`SessionView::is_proved_within`]: super::session_view::SessionView::is_proved_within

use super::auth_method::{AuthMethod, AuthMethods};
use super::provider::ProviderName;
use super::time::Time;
use std::time::Duration;

/// A change of what protects an account needs a proof within this time (OWASP ASVS 5.0, 7.5.1; NIST SP 800-63B-4 leaves
/// the time to the service).
pub(super) const RECENT: Duration = Duration::from_mins(15);

/// What a method says of when the person was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// They are there now.
    Now,
    /// They were there when the provider says so (`auth_time`), if it does: its session may have been open for weeks.
    AsStated,
    /// Nothing: a device alone, or a paper with codes, is no person.
    Nothing,
}

impl AuthMethod {
    pub const fn proof(self) -> Proof {
        match self {
            AuthMethod::Password | AuthMethod::Passkey | AuthMethod::MailedLink => Proof::Now,
            AuthMethod::Provider => Proof::AsStated,
            AuthMethod::Totp | AuthMethod::RecoveryCode | AuthMethod::TrustedDevice | AuthMethod::ProviderMfa => {
                Proof::Nothing
            }
        }
    }
}

/// A login, as its session notes it: one value, so that no part of it is lost between the first factor and the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authentication {
    /// The ways in which the person authenticated.
    pub methods: AuthMethods,
    /// The provider that the login came from; `None` for a login with the service's own means.
    pub provider: Option<ProviderName>,
    /// When the person last proved who they are; `None`: they did not.
    pub proved_at: Option<Time>,
}

impl Authentication {
    /// A login with one of the service's own means.
    pub fn by(method: AuthMethod, now: Time) -> Self {
        Self::default().with(method, now)
    }

    /// A login at a provider, which `second_factor` says whether to count as one with two factors, and which may have
    /// stated when the person authenticated there.
    pub fn by_provider(provider: ProviderName, second_factor: bool, stated_at: Option<Time>) -> Self {
        let methods = AuthMethods::from(AuthMethod::Provider);
        let methods = if second_factor { methods.with(AuthMethod::ProviderMfa) } else { methods };
        Self { methods, provider: Some(provider), proved_at: stated_at }
    }

    /// Whether the person proved recently enough who they are to change what protects the account.
    pub fn is_recently_proved(&self, now: Time) -> bool {
        self.proved_at.is_some_and(|at| now < at + RECENT)
    }

    /// The same login, in which the person now authenticated in this way, too.
    #[must_use]
    pub fn with(self, method: AuthMethod, now: Time) -> Self {
        let proved_at = if method.proof() == Proof::Now { Some(now) } else { self.proved_at };
        Self { methods: self.methods.with(method), proved_at, ..self }
    }
}
