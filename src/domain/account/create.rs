//! Creates accounts for operators and for applications' backends.

use super::details::AccountDetails;
use super::identities::{self, VouchedIdentity};
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::change::{Answering, commit_answered};
use crate::domain::idempotency::{Claim, KeptAnswer};
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
use crate::store::{Conn, StoreError, Tx, UserRow};
use secrecy::SecretString;

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

/// Creates an account with its first organization, whatever `SVC_SIGNUP` is.
pub async fn create(app: &App, principal: &Principal, new: NewUser) -> Result<UserRow, ChangeError> {
    let (tx, user) = insert(app, principal, new).await?;
    tx.commit().await?;
    Ok(user)
}

/// As [`create`], for backends: see [`commit_answered`].
pub async fn create_answered<A, F>(
    app: &App,
    principal: &Principal,
    new: NewUser,
    claim: Option<Claim>,
    answer: F,
) -> Result<A, ChangeError>
where
    A: AsRef<KeptAnswer> + Send + Sync,
    F: for<'c> FnOnce(&'c mut Conn, UserRow) -> Answering<'c, A> + Send,
{
    let (tx, user) = insert(app, principal, new).await?;
    Ok(commit_answered(app, tx, user, claim, answer).await?)
}

/// As [`create`], for use cases that go on in the same transaction.
pub(in crate::domain) async fn insert(
    app: &App,
    principal: &Principal,
    new: NewUser,
) -> Result<(Tx, UserRow), ChangeError> {
    require(principal, &new)?;
    let known = identities::known(app, &new.identities).await?;
    let username = new.username.unwrap_or_default();
    // To an operator, it is revealed that an address or a name is taken.
    let terms = SignupTerms {
        operation: Operation::CreateUser,
        roles: new.roles,
        verification: EmailVerification::Off,
        username_required: false,
        if_taken: IfTaken::Refuse,
        language: None,
        requester: Requester::OPERATOR,
    };
    let (account, _) = form::validate(app, principal, &new.email, &username, new.password, terms).await?;
    let (mut tx, inserted) = sign_up::insert(app, principal, terms.operation, &account, None, new.verified).await?;
    let (user, details) = (inserted.user, &new.details);
    tx.user_set_details(user.id, details.external_id.as_ref().map(ExternalId::as_str), &details.metadata).await?;
    if let Some(name) = &new.name {
        tx.user_set_name(user.id, Some(name.as_str())).await?;
    }
    tx.require_changeable(&user)?;
    identities::connect(app, &mut tx, user.id, &known).await?;
    if new.send_mail {
        password_reset_mail::first_password(app, &mut tx, &user).await?;
    }
    Ok((tx, user))
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
