//! Creates accounts for operators and for applications' backends.

use super::details::AccountDetails;
use super::identities::{self, VouchedIdentity};
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::change::Runnable;
use crate::domain::identity::visible_name::DisplayName;
use crate::domain::registration::form::{self, SignupTerms};
use crate::domain::registration::new_account::IfTaken;
use crate::domain::registration::sign_up;
use crate::domain::verification::password_reset_mail;
use crate::model::external_id::ExternalId;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::refusal::ChangeError;
use crate::settings::EmailVerification;
use crate::store::{StoreError, Tx, UserRow};
use secrecy::SecretString;

/// An account to make with its first organization, whatever `SVC_SIGNUP` is; made is its row.
pub struct NewUser {
    pub email: String,
    /// Username; `None`: derived from the address.
    pub username: Option<String>,
    pub name: Option<DisplayName>,
    /// Password; `None`: the account has none until a mailed link sets one.
    pub password: Option<SecretString>,
    pub roles: Roles,
    /// Whether the operator or the application vouches that the address is verified.
    pub verified: bool,
    /// The accounts at providers that log in to it.
    pub identities: Vec<VouchedIdentity>,
    pub details: AccountDetails,
    /// Whether to mail a link to set a password.
    pub send_mail: bool,
}

impl Runnable for NewUser {
    type Made = UserRow;

    async fn make(self, app: &App, principal: &Principal) -> Result<(Tx, UserRow), ChangeError> {
        require(principal, &self)?;
        let known = identities::known(app, &self.identities).await?;
        let username = self.username.unwrap_or_default();
        // To an operator, it is revealed that an address or a name is taken.
        let terms = SignupTerms {
            operation: Operation::CreateUser,
            roles: self.roles,
            verification: EmailVerification::Off,
            username_required: false,
            if_taken: IfTaken::Refuse,
            language: None,
            requester: Requester::OPERATOR,
        };
        let (account, _) = form::validate(app, principal, &self.email, &username, self.password, terms).await?;
        let (mut tx, inserted) =
            sign_up::insert(app, principal, terms.operation, &account, None, self.verified).await?;
        let (user, details) = (inserted.user, &self.details);
        tx.user_set_details(user.id, details.external_id.as_ref().map(ExternalId::as_str), &details.metadata).await?;
        if let Some(name) = &self.name {
            tx.user_set_name(user.id, Some(name.as_str())).await?;
        }
        tx.require_changeable(&user)?;
        identities::connect(app, &mut tx, user.id, &known).await?;
        if self.send_mail {
            password_reset_mail::first_password(app, &mut tx, &user).await?;
        }
        Ok((tx, user))
    }
}

/// Before the password is hashed.
fn require(principal: &Principal, new: &NewUser) -> Result<(), StoreError> {
    principal.require(Operation::CreateUser)?;
    if new.verified {
        principal.require(Operation::SetEmail)?;
    }
    if new.password.is_some() {
        principal.require(Operation::SetPassword)?;
    }
    if !new.identities.is_empty() {
        principal.require(Operation::SetIdentities)?;
    }
    if !new.roles.is_empty() {
        principal.require(Operation::SetRoles)?;
    }
    Ok(())
}
