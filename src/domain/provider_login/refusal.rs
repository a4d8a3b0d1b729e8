//! Why a login with a provider is refused. Persons get one sentence and a reference; the log has both.

use crate::context::App;
use crate::metrics::ProviderOutcome;
use crate::model::device::Device;
use crate::model::ids::UserId;
use crate::model::provider::Provider;
use crate::oidc::ProviderFault;
use crate::random;
use std::fmt::Write;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ProviderRefusal {
    /// What the provider says is wrong, or it does not answer.
    #[error(transparent)]
    Fault(#[from] ProviderFault),
    /// Another browser began the login, or this one has more than one secret.
    #[error("another browser began this login")]
    OtherBrowser,
    /// It came back before.
    #[error("this login came back before")]
    Used,
    /// Without a login of this state; anyone can send one.
    #[error("its state is unknown or was removed, or a parameter came twice")]
    UnknownState,
    /// It began more than ten minutes ago.
    #[error("this login began too long ago")]
    TooLate,
    /// Another provider's address was called.
    #[error("this login began with another provider")]
    OtherProvider,
    /// Kind, issuer, client id, tenant or scopes of the record were changed since.
    #[error("the record of the provider was changed since this login began")]
    RecordChanged,
    /// The secret of the record was lost with the secret key.
    #[error("the provider has no client secret")]
    NoSecret,
    /// The session in which the account was to be connected is not alive in this browser.
    #[error("the session that began the connection is not alive in this browser")]
    OtherSession,
}

impl ProviderRefusal {
    /// What the audit log says; `None`: nothing.
    const fn audited(&self) -> Option<&'static str> {
        Some(match self {
            Self::Fault(_) => "fault",
            Self::OtherBrowser => "other_browser",
            Self::Used => "used",
            Self::UnknownState => return None,
            Self::TooLate => "too_late",
            Self::OtherProvider => "other_provider",
            Self::RecordChanged => "record_changed",
            Self::NoSecret => "no_secret",
            Self::OtherSession => "other_session",
        })
    }
}

/// A login that was refused, as a person is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedLogin {
    /// Eight characters, which the line in the log has too.
    pub reference: String,
    /// Whether the provider did not answer, so that trying again may help.
    pub is_outage: bool,
    /// Whether the person went no further there, which is no fault.
    pub is_canceled: bool,
}

/// Records a refusal in log, audit log and metrics. `user`: for whom an account was to be connected.
pub(super) fn refuse(
    app: &App,
    provider: &Provider,
    refusal: &ProviderRefusal,
    user: Option<UserId>,
    device: &Device,
) -> RefusedLogin {
    let refused = RefusedLogin {
        reference: reference(),
        is_outage: matches!(refusal, ProviderRefusal::Fault(fault) if fault.is_outage()),
        is_canceled: matches!(refusal, ProviderRefusal::Fault(fault) if fault.is_canceled()),
    };
    tracing::warn!(
        provider = provider.name.as_str(),
        reference = refused.reference,
        "login with a provider refused: {refusal}"
    );
    let counted = match refusal.audited() {
        Some(why) => {
            app.failed_attempts.record_provider(&provider.name, why, user, device, app.clock.now());
            ProviderOutcome::Refused
        }
        None => ProviderOutcome::UnknownState,
    };
    app.metrics.providers.count(&provider.name, counted);
    refused
}

fn reference() -> String {
    let bytes: [u8; 4] = random::bytes().unwrap_or_default();
    bytes.iter().fold(String::with_capacity(8), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
