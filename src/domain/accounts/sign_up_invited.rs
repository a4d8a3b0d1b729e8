//! Sign-up by invitation: the address is the invitation's, and the account begins in the inviting organization.

use super::first_organization;
use super::sign_up::{Account, InsertError, MAX_TRIES, SignUp, SignUpError, check, insert_user};
use crate::app::App;
use crate::domain::Error;
use crate::domain::ids::UserId;
use crate::domain::organizations::{self, AnswerError, InvitationState};
use crate::domain::roles::Roles;
use crate::domain::sessions::{self, Device, Opened};
use crate::settings::{OrgMode, Signup};

impl From<AnswerError> for SignUpError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Unknown | AnswerError::Over(_) | AnswerError::WrongAccount => SignUpError::InvitationVoid,
            AnswerError::Failed(error) => SignUpError::Failed(error),
        }
    }
}

/// Makes an account for the invited and opens its first session, in the inviting organization.
pub(super) async fn sign_up_invited(
    app: &App,
    form: SignUp,
    token: &str,
    device: &Device,
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
        match try_once(app, token, &mut account, attempt, device).await {
            Err(InsertError::DerivedNameTaken) => {}
            Err(InsertError::SignUp(error)) => return Err(error),
            Ok(done) => return Ok(done),
        }
    }
    Err(SignUpError::Failed(Error::Inconsistent("no free username was found".to_owned())))
}

async fn try_once(
    app: &App,
    token: &str,
    account: &mut Account,
    attempt: u32,
    device: &Device,
) -> Result<(UserId, Opened), InsertError> {
    let mut tx = app.store.begin().await?;
    let invitation = organizations::lock_open(app, &mut tx, token).await?;
    account.verified = invitation.proves_address;
    let user = match insert_user(app, &mut tx, account, attempt).await {
        Ok(user) => user,
        Err(error) => {
            tx.rollback().await?;
            return Err(error);
        }
    };
    if app.settings.accounts.org_mode == OrgMode::Multi {
        first_organization::create(app, &mut tx, user.id, &user.username).await?;
    }
    organizations::join(app, &mut tx, &invitation, user.id).await?;
    let organization = (invitation.organization_id, invitation.role);
    let opened = sessions::open(app, &mut tx, (user.id, user.roles), organization, device).await?;
    tx.commit().await?;
    tracing::info!(user = %user.id, session = %opened.session_id, "signed up by invitation");
    Ok((user.id, opened))
}
