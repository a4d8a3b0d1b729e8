//! Sign-up by invitation: the address is the invitation's, and the account begins in the inviting organization.

use super::first_organization;
use super::insert::{InsertError, Inserted, insert_user};
use super::sign_up::{Account, SignUpError};
use crate::app::App;
use crate::domain::organizations::{self, AnswerError, InvitationState};
use crate::settings::{OrgMode, Signup};
use crate::store::{InvitationRow, Tx};

impl From<AnswerError> for SignUpError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Unknown | AnswerError::Over(..) | AnswerError::WrongAccount => SignUpError::InvitationVoid,
            AnswerError::Failed(error) => SignUpError::Failed(error),
        }
    }
}

/// A pending invitation; nobody signs up with another address than its own through its link.
pub(super) async fn invitation_of(app: &App, token: &str) -> Result<InvitationRow, SignUpError> {
    if app.settings.accounts.signup == Signup::Closed {
        return Err(SignUpError::NotOpen(Signup::Closed));
    }
    let invitation = organizations::find_by_token(app, token).await?.invitation;
    if invitation.state_at(app.clock.now()) != InvitationState::Pending {
        return Err(SignUpError::InvitationVoid);
    }
    Ok(invitation)
}

/// Writes the account, its organizations and the answer to the invitation of `token`.
pub(super) async fn join(
    app: &App,
    tx: &mut Tx,
    token: &str,
    account: &Account,
    attempt: u32,
) -> Result<Inserted, InsertError> {
    let invitation = organizations::lock_open(app, tx, token).await?;
    insert_invited(app, tx, account, &invitation, (attempt, invitation.proves_address)).await
}

/// Writes the account, its organizations and the answer to an invitation, in the contract's order of events.
pub(in crate::domain) async fn insert_invited(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    invitation: &InvitationRow,
    (attempt, verified): (u32, bool),
) -> Result<Inserted, InsertError> {
    let user = insert_user(app, tx, account, attempt, verified).await?;
    if app.settings.accounts.org_mode == OrgMode::Multi {
        first_organization::create(app, tx, user.id, &user.username).await?;
    }
    organizations::join(app, tx, invitation, user.id).await?;
    Ok(Inserted { user, organization: (invitation.organization_id, invitation.role) })
}
