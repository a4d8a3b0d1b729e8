//! Sign-up by invitation: the address is the invitation's, and the account begins in the inviting organization.

use super::enter::{self, Arrival};
use super::first_organization;
use super::sign_up::{Account, InsertError, MAX_TRIES, SignUp, SignUpError, check, insert_user};
use crate::app::App;
use crate::domain::Error;
use crate::domain::ids::{OrganizationId, UserId};
use crate::domain::organizations::{self, AnswerError, InvitationState, MemberRole};
use crate::domain::roles::Roles;
use crate::domain::sessions::Opened;
use crate::settings::{OrgMode, Signup};
use crate::store::{Tx, UserRow};

impl From<AnswerError> for SignUpError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Unknown | AnswerError::Over(..) | AnswerError::WrongAccount => SignUpError::InvitationVoid,
            AnswerError::Failed(error) => SignUpError::Failed(error),
        }
    }
}

/// Makes an account for the invited and opens its first session, in the inviting organization.
pub(super) async fn sign_up_invited(
    app: &App,
    form: SignUp,
    token: &str,
    arrival: &Arrival,
) -> Result<(UserId, Opened), SignUpError> {
    if app.settings.accounts.signup == Signup::Closed {
        return Err(SignUpError::NotOpen(Signup::Closed));
    }
    let invitation = organizations::find_by_token(app, token).await?.invitation;
    if invitation.state_at(app.clock.now()) != InvitationState::Pending {
        return Err(SignUpError::InvitationVoid);
    }
    let mut account = check(app, &invitation.email, &form.username, form.password, Roles::NONE).await?;
    for attempt in 1..=MAX_TRIES {
        let mut tx = app.store.begin().await?;
        match join(app, &mut tx, token, &mut account, attempt).await {
            Ok((user, organization)) => {
                let opened = enter::open(app, &mut tx, &user, organization, arrival).await?;
                tx.commit().await?;
                tracing::info!(user = %user.id, session = %opened.session_id, "signed up by invitation");
                return Ok((user.id, opened));
            }
            Err(InsertError::DerivedNameTaken) => tx.rollback().await?,
            Err(InsertError::SignUp(error)) => return Err(error),
        }
    }
    Err(SignUpError::Failed(Error::Inconsistent("no free username was found".to_owned())))
}

/// Writes the account, its organizations and the answer to the invitation, in the contract's order of events.
async fn join(
    app: &App,
    tx: &mut Tx,
    token: &str,
    account: &mut Account,
    attempt: u32,
) -> Result<(UserRow, (OrganizationId, MemberRole)), InsertError> {
    let invitation = organizations::lock_open(app, tx, token).await?;
    account.verified = invitation.proves_address;
    let user = insert_user(app, tx, account, attempt).await?;
    if app.settings.accounts.org_mode == OrgMode::Multi {
        first_organization::create(app, tx, user.id, &user.username).await?;
    }
    organizations::join(app, tx, &invitation, user.id).await?;
    Ok((user, (invitation.organization_id, invitation.role)))
}
