//! Sign-up by invitation: the address is the invitation's, and the account begins in the inviting organization.

use super::enter::Arrival;
use super::first_organization;
use super::sign_up::{
    Account, InsertError, MAX_TRIES, Organization, SignUp, SignUpError, SignedUp, Standing, check, insert_user, open,
};
use crate::app::App;
use crate::domain::Error;
use crate::domain::mailed;
use crate::domain::organizations::{self, AnswerError, InvitationState};
use crate::domain::roles::Roles;
use crate::settings::{EmailVerification, OrgMode, Signup};
use crate::store::{InvitationRow, Tx, UserRow};

impl From<AnswerError> for SignUpError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Unknown | AnswerError::Over(..) | AnswerError::WrongAccount => SignUpError::InvitationVoid,
            AnswerError::Failed(error) => SignUpError::Failed(error),
        }
    }
}

/// Makes an account for the invited and opens its first session, in the inviting organization; where the link does not
/// prove the address, that may be asked for first.
pub(super) async fn sign_up_invited(
    app: &App,
    form: SignUp,
    token: &str,
    arrival: &Arrival,
) -> Result<SignedUp, SignUpError> {
    if app.settings.accounts.signup == Signup::Closed {
        return Err(SignUpError::NotOpen(Signup::Closed));
    }
    let invitation = organizations::find_by_token(app, token).await?.invitation;
    if invitation.state_at(app.clock.now()) != InvitationState::Pending {
        return Err(SignUpError::InvitationVoid);
    }
    // Whoever has the mailed link knows whether the address has an account: the page of the invitation says so.
    let verification = match app.settings.accounts.email_verification {
        _ if invitation.proves_address => EmailVerification::Off,
        setting => setting,
    };
    let (mut account, standing) =
        check(app, &invitation.email, &form.username, form.password, Roles::NONE, verification).await?;
    if standing != Standing::Free || verification == EmailVerification::Required {
        let waits = mailed::begin_sign_up(app, &account, Some(invitation.id), form.return_to.as_deref()).await?;
        return Ok(SignedUp::MustProve(waits));
    }
    for attempt in 1..=MAX_TRIES {
        let mut tx = app.store.begin().await?;
        match join(app, &mut tx, token, &mut account, attempt).await {
            Ok((user, organization)) => {
                let opened = open(app, &mut tx, &user, organization, form.return_to.as_deref(), arrival).await?;
                tx.commit().await?;
                tracing::info!(user = %user.id, session = %opened.session_id, "signed up by invitation");
                return Ok(SignedUp::Opened(opened));
            }
            Err(InsertError::DerivedNameTaken) => tx.rollback().await?,
            Err(InsertError::SignUp(error)) => return Err(error),
        }
    }
    Err(SignUpError::Failed(Error::Inconsistent("no free username was found".to_owned())))
}

async fn join(
    app: &App,
    tx: &mut Tx,
    token: &str,
    account: &mut Account,
    attempt: u32,
) -> Result<(UserRow, Organization), InsertError> {
    let invitation = organizations::lock_open(app, tx, token).await?;
    account.verified = invitation.proves_address;
    insert_invited(app, tx, account, &invitation, attempt).await
}

/// Writes the account, its organizations and the answer to the invitation, in the contract's order of events.
pub(in crate::domain) async fn insert_invited(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    invitation: &InvitationRow,
    attempt: u32,
) -> Result<(UserRow, Organization), InsertError> {
    let user = insert_user(app, tx, account, attempt).await?;
    if app.settings.accounts.org_mode == OrgMode::Multi {
        first_organization::create(app, tx, user.id, &user.username).await?;
    }
    organizations::join(app, tx, invitation, user.id).await?;
    Ok((user, (invitation.organization_id, invitation.role)))
}
