//! Who may sign up: everyone, or people with an invitation (`SVC_SIGNUP`).

use crate::context::App;
use crate::domain::organization::invite::inviter_name;
use crate::domain::organization::respond::{self, InvitationDetails, InvitationResponseError};
use crate::error::Error;
use crate::model::organization::InvitationState;
use crate::model::principal::Principal;
use crate::model::user_label::UserLabel;
use crate::settings::Signup;
use crate::store::{InvitationRow, UserRow};

/// The permission to sign up, granted only by [`admit`].
pub struct Admission {
    pub(super) invitation: Option<PendingInvitation>,
}

/// A pending invitation, with the token of its link.
pub(in crate::domain) struct PendingInvitation {
    pub(super) token: String,
    pub(super) row: InvitationRow,
    organization: String,
    inviter: Option<UserRow>,
}

impl Admission {
    /// The token of the invitation, if the admission is by one.
    pub fn token(&self) -> Option<&str> {
        self.invitation.as_ref().map(|invited| invited.token.as_str())
    }

    /// The email address of the invitation: its link permits signup with no other.
    pub fn email(&self) -> Option<&str> {
        self.invitation.as_ref().map(|invited| invited.row.email.as_str())
    }

    /// The name of the organization that the invitation is to, and who invites, as in the email.
    pub fn invited_by(&self) -> Option<(&str, Option<UserLabel<'_>>)> {
        let invited = self.invitation.as_ref()?;
        Some((invited.organization.as_str(), invited.inviter.as_ref().map(inviter_name)))
    }
}

/// Why a person may not sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAdmitted {
    Closed,
    InvitationOnly,
    /// The invitation was answered, revoked or replaced, has expired, or never existed.
    InvitationVoid,
}

/// Decides whether a person may sign up, with or without the token of an invitation.
pub async fn admit(
    app: &App,
    principal: &Principal,
    token: Option<&str>,
) -> Result<Result<Admission, NotAdmitted>, Error> {
    let signup = app.settings.accounts.signup;
    let Some(token) = token.filter(|_| signup != Signup::Closed) else {
        return Ok(match signup {
            Signup::Open => Ok(Admission { invitation: None }),
            Signup::Invite => Err(NotAdmitted::InvitationOnly),
            Signup::Closed => Err(NotAdmitted::Closed),
        });
    };
    let found = match respond::find_by_token(app, principal, token).await {
        Ok(found) => found,
        Err(InvitationResponseError::Failed(error)) => return Err(error),
        Err(_) => return Ok(Err(NotAdmitted::InvitationVoid)),
    };
    let InvitationDetails { invitation: row, organization, inviter } = found;
    if row.state_at(app.clock.now()) != InvitationState::Pending {
        return Ok(Err(NotAdmitted::InvitationVoid));
    }
    let (token, organization) = (token.to_owned(), organization.name);
    Ok(Ok(Admission { invitation: Some(PendingInvitation { token, row, organization, inviter }) }))
}
