//! The one door: every way to log in ends here, and here alone it is decided whether what was shown is enough for a
//! session. Nothing else opens one.

use super::error::LogInError;
use super::pending::{self, HalfLogIn};
use crate::context::App;
use crate::domain::mfa::{status, trusted_devices};
use crate::domain::session::lifecycle::{self, Opened};
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::device::Device;
use crate::model::ids::{OrganizationId, SessionId};
use crate::model::organization::MemberRole;
use crate::model::session::EndReason;
use crate::settings::EmailVerification;
use crate::store::{Tx, UserRow};

/// The browser somebody comes with.
pub struct Arrival {
    /// What it says of itself, and its address.
    pub device: Device,
    /// The sessions it has, which end when another one opens.
    pub replaces: Vec<SessionId>,
    /// Its tokens of a device that is not asked for the second factor.
    pub device_tokens: Vec<String>,
}

/// What somebody has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The password.
    Password,
    /// The password, and then a second factor.
    PasswordAndSecondFactor,
    /// A passkey that verified its user: two factors in one.
    Passkey,
}

impl Shown {
    /// The name in the audit log.
    const fn as_str(self) -> &'static str {
        match self {
            Shown::Password => "",
            Shown::PasswordAndSecondFactor => "second factor",
            Shown::Passkey => "passkey",
        }
    }
}

/// What came of it.
pub enum Entered {
    /// It was enough.
    Session(Opened),
    /// The second factor is still to come.
    SecondFactorNeeded(HalfLogIn),
}

/// Lets a user in, whom the transaction has locked, or says what is still needed.
pub(in crate::domain) async fn enter(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    shown: Shown,
    arrival: &Arrival,
) -> Result<Entered, LogInError> {
    if user.disabled_at.is_some() {
        return Err(LogInError::Disabled);
    }
    if user.email_verified_at.is_none() && app.settings.accounts.email_verification == EmailVerification::Required {
        return Err(LogInError::Unproved(user.id));
    }
    if shown == Shown::Password && needs_second_factor(app, tx, user, arrival).await? {
        return Ok(Entered::SecondFactorNeeded(pending::begin_half_log_in(app, tx, user).await?));
    }
    // The lock also keeps a membership from ending meanwhile, whose end moves only the sessions that it sees.
    let Some(membership) = tx.membership_default(user.id).await? else {
        return Err(Error::Inconsistent(format!("user {} is in no organization", user.id)).into());
    };
    let organization = (membership.organization_id, membership.role);
    let opened = open(app, tx, user, organization, arrival).await?;
    let by = By::user(user.id, Some(opened.session_id), arrival.device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::SignedIn, user.id, &by).with_detail(shown.as_str())).await?;
    Ok(Entered::Session(opened))
}

async fn needs_second_factor(app: &App, tx: &mut Tx, user: &UserRow, arrival: &Arrival) -> Result<bool, LogInError> {
    Ok(status::is_on(tx, user.id).await?
        && !trusted_devices::is_remembered(app, tx, user, &arrival.device_tokens).await?)
}

/// Opens a session. Only for accounts that have nothing but a password set in this transaction; all others come through
/// [`enter`].
pub(in crate::domain) async fn open(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    organization: (OrganizationId, MemberRole),
    arrival: &Arrival,
) -> Result<Opened, Error> {
    for session in &arrival.replaces {
        tx.session_end(*session, EndReason::Replaced.as_str()).await?;
    }
    lifecycle::open(app, tx, (user.id, user.roles), organization, &arrival.device).await
}
