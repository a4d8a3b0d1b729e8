//! How a login with a provider goes on: one variant for each row of docs/reference/browser.md 8.5.

use super::refusal::RefusedLogin;
use super::types::Question;
use crate::context::App;
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::login::complete::{LoginOutcome, StoppedLogin};
use crate::domain::login::pending::PendingLogin;
use crate::domain::registration::admission::NotAdmitted;
use crate::domain::session::lifecycle::OpenedSession;
use crate::metrics::ProviderOutcome;
use crate::model::ids::AccountTokenId;
use crate::store::ProviderRow;
use std::time::Duration;

pub enum CallbackOutcome {
    /// A session was opened, of an account that was there or of a new one.
    LoggedIn(OpenedSession),
    SecondFactorNeeded(PendingLogin),
    /// The address of the account must be verified first.
    Unverified(StoppedLogin),
    Disabled,
    /// Link and code were mailed: a signup waits for them.
    VerificationRequired(AccountTokenId),
    Ask(Question),
    Changed,
    /// The address cannot be had: it is reserved, or its account is disabled.
    AddressTaken,
    Fields(FieldErrors),
    /// There is no account, and none may be made.
    NotAdmitted(NotAdmitted),
    /// The invitation is for another address, which is this one.
    InvitedElsewhere(String),
    /// The account at the provider was connected.
    Connected,
    /// It came back before, and its session is alive.
    LoggedInBefore,
    IdentityTaken,
    /// The account has as many as it may have.
    TooManyIdentities,
    Refused(RefusedLogin),
    /// Too many logins or mails lately; retry after this time.
    TooSoon(Duration),
}

impl CallbackOutcome {
    pub(super) fn count(&self, app: &App, provider: &ProviderRow) {
        if let Some(counted) = self.counted() {
            app.metrics.providers.count(&provider.provider.name, counted);
        }
    }

    /// What it is counted as; `None` if it was counted before.
    const fn counted(&self) -> Option<ProviderOutcome> {
        Some(match self {
            Self::LoggedIn(_) => ProviderOutcome::Opened,
            Self::SecondFactorNeeded(_) => ProviderOutcome::SecondFactorNeeded,
            Self::Unverified(_) => ProviderOutcome::Unverified,
            Self::Disabled => ProviderOutcome::Disabled,
            Self::VerificationRequired(_) => ProviderOutcome::Pending,
            Self::Ask(_) => ProviderOutcome::Asked,
            Self::AddressTaken | Self::Fields(_) | Self::NotAdmitted(_) | Self::InvitedElsewhere(_) => {
                ProviderOutcome::NotAdmitted
            }
            Self::Connected => ProviderOutcome::Connected,
            Self::IdentityTaken | Self::TooManyIdentities => ProviderOutcome::NotConnected,
            Self::TooSoon(_) => ProviderOutcome::Limited,
            Self::Refused(_) | Self::Changed | Self::LoggedInBefore => return None,
        })
    }
}

impl From<LoginOutcome> for CallbackOutcome {
    fn from(outcome: LoginOutcome) -> Self {
        match outcome {
            LoginOutcome::Session(opened) => Self::LoggedIn(opened),
            LoginOutcome::SecondFactorNeeded(pending) => Self::SecondFactorNeeded(pending),
            LoginOutcome::Unverified(stopped) => Self::Unverified(stopped),
            LoginOutcome::Disabled => Self::Disabled,
        }
    }
}
