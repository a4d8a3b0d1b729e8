//! Sign-up: a new account, its first organization and its first session, in one transaction.

use super::admission::{Admission, Invited};
use super::availability::EmailAvailability;
use super::form::{SignUp, check};
use super::new_account::{Account, Inserted, SignUpError, UsernameAttempts, insert_direct, written};
use super::{invited, pending};
use crate::context::App;
use crate::domain::login::complete::{self, Arrival};
use crate::domain::session::lifecycle::Opened;
use crate::domain::verification::request;
use crate::domain::verification::token::Asked;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::AccountTokenId;
use crate::model::roles::Roles;
use crate::settings::EmailVerification;
use crate::store::Tx;

/// What a sign-up led to.
pub enum SignedUp {
    /// An account and its first session.
    Opened(Opened),
    /// The address is to be proved first.
    MustProve(AccountTokenId),
}

/// Makes an account and opens its first session, which replaces those that the browser had; or asks for verification of
/// the email address first.
pub async fn sign_up(
    app: &App,
    admission: &Admission,
    form: SignUp,
    arrival: &Arrival,
) -> Result<SignedUp, SignUpError> {
    let invited = admission.invitation.as_ref();
    let email = invited.map_or(&form.email, |invited| &invited.row.email);
    // The mailed link of an invitation verifies the address, and its page says whether the address has an account.
    let verification = match app.settings.accounts.email_verification {
        _ if invited.is_some_and(|invited| invited.row.proves_address) => EmailVerification::Off,
        setting => setting,
    };
    let (account, availability) = check(app, email, &form.username, form.password, Roles::NONE, verification).await?;
    let asked = Asked { return_to: form.return_to.as_deref(), locale: form.locale };
    if availability != EmailAvailability::Free || verification == EmailVerification::Required {
        let invitation = invited.map(|invited| invited.row.id);
        return Ok(SignedUp::MustProve(pending::begin(app, &account, invitation, asked).await?));
    }
    let (mut tx, inserted) = insert(app, &account, invited, false).await?;
    let opened = open(app, &mut tx, &inserted, asked, arrival).await?;
    tx.commit().await?;
    let (user, session) = (inserted.user.id, opened.session_id);
    tracing::info!(user = %user, session = %session, invited = invited.is_some(), "signed up");
    Ok(SignedUp::Opened(opened))
}

/// Writes the account and its organizations, with their events, in the order of docs/protocol.md, section 12; accepts
/// the invitation. The caller finishes the transaction. `verified`: the address is known to be the person's.
pub(in crate::domain) async fn insert(
    app: &App,
    account: &Account,
    invited: Option<&Invited>,
    verified: bool,
) -> Result<(Tx, Inserted), SignUpError> {
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin().await?;
        let inserted = match invited {
            Some(invited) => invited::accept(app, &mut tx, &invited.token, account, attempt).await,
            None => insert_direct(app, &mut tx, account, attempt, verified).await,
        };
        if let Some(written) = written(tx, inserted).await? {
            return Ok(written);
        }
    }
}

/// Opens the first session of an account made in this transaction, and asks for the proof of its address.
async fn open(
    app: &App,
    tx: &mut Tx,
    inserted: &Inserted,
    asked: Asked<'_>,
    arrival: &Arrival,
) -> Result<Opened, SignUpError> {
    let Inserted { user, organization } = inserted;
    let opened = complete::open(app, tx, user, *organization, arrival).await?;
    let by = By::user(user.id, Some(opened.session_id), arrival.device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::AccountCreated, user.id, &by)).await?;
    if user.email_verified_at.is_none() && app.settings.accounts.email_verification != EmailVerification::Off {
        request::request(app, tx, user, asked).await?;
    }
    Ok(opened)
}
