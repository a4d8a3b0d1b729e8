//! Creates accounts for operators and for applications' backends.

use super::details::AccountDetails;
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::identity::operator_error::OperatorError;
use crate::domain::registration::form::{self, SignupTerms};
use crate::domain::registration::new_account::IfTaken;
use crate::domain::registration::sign_up;
use crate::domain::verification::password_reset_mail;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::external_id::ExternalId;
use crate::model::roles::Roles;
use crate::settings::EmailVerification;
use crate::store::{Tx, UserRow};
use secrecy::SecretString;

/// An account to create.
pub struct NewUser {
    /// Email address.
    pub email: String,
    /// Username; `None`: derived from the address.
    pub username: Option<String>,
    /// Password; `None`: the account has none until a mailed link sets one.
    pub password: Option<SecretString>,
    /// Platform roles.
    pub roles: Roles,
    /// Whether the operator or the application vouches that the address is verified.
    pub verified: bool,
    /// What the application keeps with it.
    pub details: AccountDetails,
    /// Whether to mail a link to set a password.
    pub send_mail: bool,
}

/// Creates an account with its first organization, whatever `SVC_SIGNUP` is.
pub async fn create(app: &App, new: NewUser, actor: &Actor) -> Result<UserRow, OperatorError> {
    let (tx, user) = begin(app, new, actor).await?;
    tx.commit().await?;
    Ok(user)
}

/// As [`create`], in a transaction that the caller commits.
pub async fn begin(app: &App, new: NewUser, actor: &Actor) -> Result<(Tx, UserRow), OperatorError> {
    let username = new.username.unwrap_or_default();
    // To an operator, it is revealed that an address or a name is taken.
    let terms = SignupTerms {
        roles: new.roles,
        verification: EmailVerification::Off,
        username_required: false,
        if_taken: IfTaken::Refuse,
        language: None,
        requester: Requester::OPERATOR,
    };
    let (account, _) = form::validate(app, &new.email, &username, new.password, terms).await?;
    let (mut tx, inserted) = sign_up::insert(app, &account, None, new.verified).await?;
    let (user, details) = (inserted.user, &new.details);
    tx.user_set_details(user.id, details.external_id.as_ref().map(ExternalId::as_str), &details.metadata).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::AccountCreated, user.id, actor)).await?;
    if new.send_mail {
        password_reset_mail::first_password(app, &mut tx, &user).await?;
    }
    Ok((tx, user))
}
