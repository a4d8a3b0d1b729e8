//! Use cases of operators on accounts, from the command line.

use super::details::AccountDetails;
use super::identity::fold;
use super::last_admin::is_last_admin;
use super::new_password::password_problem;
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::registration::form::{self, SignupTerms};
use crate::domain::registration::new_account::{FieldErrors, IfTaken, SignupError};
use crate::domain::registration::sign_up;
use crate::error::Error;
use crate::mail::{self, Notice};
use crate::messages::Message;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::event::Event;
use crate::model::external_id::ExternalId;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::roles::{PlatformRole, Roles};
use crate::model::session::EndReason;
use crate::model::verification::AccountTokenKind;
use crate::settings::EmailVerification;
use crate::store::{Store, StoreError, Tx, UserRow};
use secrecy::SecretString;

/// Why an operator's command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// There is no such user.
    #[error("there is no user \"{0}\"")]
    NoSuchUser(String),
    /// The identifier is one account's id and another's username, which is older than the rule that forbids such names.
    #[error(
        "\"{identifier}\" is the id of {id_of} and the username of {username_of}; name the account by its email address"
    )]
    Ambiguous {
        /// As typed.
        identifier: String,
        /// The email address of the account with this id.
        id_of: String,
        /// The email address of the account with this username.
        username_of: String,
    },
    /// The service keeps an administrator.
    #[error("\"{0}\" is the last administrator who is not disabled; make another account one first")]
    LastAdmin(String),
    /// Arguments are not valid, with the messages for their fields.
    #[error("{}", english(.0))]
    Refused(Vec<Message>),
    /// An internal error, or the database failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

fn english(messages: &[Message]) -> String {
    messages.iter().map(Message::english).collect::<Vec<_>>().join(" ")
}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        OperatorError::Failed(error.into())
    }
}

impl From<SignupError> for OperatorError {
    fn from(error: SignupError) -> Self {
        match error {
            SignupError::Fields(FieldErrors { email, username, password }) => {
                OperatorError::Refused([email, username, password].into_iter().flatten().collect())
            }
            SignupError::Failed(error) => OperatorError::Failed(error),
            other @ (SignupError::InvitationVoid | SignupError::TooSoon(_)) => {
                OperatorError::Failed(Error::Inconsistent(other.to_string()))
            }
        }
    }
}

/// An account to create.
pub struct NewUser {
    /// Email address.
    pub email: String,
    /// Username; `None`: derived from the address.
    pub username: Option<String>,
    /// Password.
    pub password: SecretString,
    /// Platform roles.
    pub roles: Roles,
    /// Whether the operator vouches that the address is verified.
    pub verified: bool,
    /// What the application keeps with it.
    pub details: AccountDetails,
}

/// Creates an account with its first organization, whatever `SVC_SIGNUP` is.
pub async fn create(app: &App, new: NewUser) -> Result<UserRow, OperatorError> {
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
    let (id, details) = (inserted.user.id, &new.details);
    tx.user_set_details(id, details.external_id.as_ref().map(ExternalId::as_str), &details.metadata).await?;
    record(&mut tx, AuditKind::AccountCreated, id).await?;
    tx.commit().await?;
    Ok(inserted.user)
}

/// Finds a user by id, email address or username.
pub async fn find(store: &Store, identifier: &str) -> Result<UserRow, OperatorError> {
    let identifier = identifier.trim();
    let mut conn = store.read().await?;
    if identifier.contains('@') {
        let found = conn.user_find_by_email(&mail_domain::key(identifier)).await?;
        return found.ok_or_else(|| OperatorError::NoSuchUser(identifier.to_owned()));
    }
    let by_id = match uuid::Uuid::try_parse(identifier) {
        Ok(id) => conn.user_find(UserId(id)).await?,
        Err(_) => None,
    };
    let by_name = conn.user_find_by_username(&fold(identifier)).await?;
    match (by_id, by_name) {
        (Some(by_id), Some(by_name)) if by_id.id != by_name.id => Err(OperatorError::Ambiguous {
            identifier: identifier.to_owned(),
            id_of: by_id.email,
            username_of: by_name.email,
        }),
        (by_id, by_name) => by_id.or(by_name).ok_or_else(|| OperatorError::NoSuchUser(identifier.to_owned())),
    }
}

/// The user with this id.
pub async fn find_by_id(store: &Store, id: UserId) -> Result<UserRow, OperatorError> {
    let found = store.read().await?.user_find(id).await?;
    found.ok_or_else(|| OperatorError::NoSuchUser(id.to_string()))
}

/// Lists at most `limit` users in the order of their email addresses, after `after`.
pub async fn list(store: &Store, after: &str, limit: i64) -> Result<Vec<UserRow>, OperatorError> {
    Ok(store.read().await?.users_page(&fold(after), limit).await?)
}

/// Disables a user, which ends all sessions, or enables one. Returns `false` if nothing changes.
pub async fn set_disabled(app: &App, user: UserId, disabled: bool) -> Result<bool, OperatorError> {
    let mut tx = app.store.begin().await?;
    if disabled {
        keep_an_admin(&mut tx, user).await?;
    }
    let changed = tx.user_set_disabled(user, disabled).await?;
    if changed {
        if disabled {
            tx.sessions_end_of_user(user, EndReason::Disabled.as_str()).await?;
        }
        let kind = if disabled { AuditKind::AccountDisabled } else { AuditKind::AccountEnabled };
        record(&mut tx, kind, user).await?;
        tx.outbox_push(&Event::UserUpdated { user_id: user }).await?;
    }
    tx.commit().await?;
    Ok(changed)
}

/// Locks the account, which is about to be an administrator no more; an error if it is the last one.
async fn keep_an_admin(tx: &mut Tx, user: UserId) -> Result<(), OperatorError> {
    tx.instance_lock().await?;
    let Some(stored) = tx.user_lock(user).await? else { return Ok(()) };
    if is_last_admin(tx, &stored).await? { Err(OperatorError::LastAdmin(stored.email)) } else { Ok(()) }
}

/// Grants a platform role. Returns `false` if the user has it already.
pub async fn grant(app: &App, user: UserId, role: PlatformRole) -> Result<bool, OperatorError> {
    change_roles(app, user, |roles| roles.with(role)).await
}

/// Revokes a platform role. Returns `false` if the user does not have it.
pub async fn revoke(app: &App, user: UserId, role: PlatformRole) -> Result<bool, OperatorError> {
    change_roles(app, user, |roles| roles.without(role)).await
}

async fn change_roles(app: &App, user: UserId, change: impl Fn(Roles) -> Roles) -> Result<bool, OperatorError> {
    let mut tx = app.store.begin().await?;
    tx.instance_lock().await?;
    let Some(stored) = tx.user_lock(user).await? else {
        return Err(OperatorError::NoSuchUser(user.to_string()));
    };
    let roles = change(stored.roles);
    if !roles.contains(PlatformRole::Admin) && is_last_admin(&mut tx, &stored).await? {
        return Err(OperatorError::LastAdmin(stored.email));
    }
    let changed = tx.user_set_roles(user, roles).await?;
    if changed {
        let (actor, names) = (Actor::operator(), roles.to_text());
        tx.audit_push(&AuditEntry::new(AuditKind::RolesChanged, user, &actor).with_detail(&names)).await?;
        tx.outbox_push(&Event::UserUpdated { user_id: user }).await?;
    }
    tx.commit().await?;
    Ok(changed)
}

async fn record(tx: &mut Tx, kind: AuditKind, user: UserId) -> Result<(), StoreError> {
    tx.audit_push(&AuditEntry::new(kind, user, &Actor::operator())).await
}

/// Sets a password, ends all sessions of the user, and mails them a notice.
pub async fn set_password(app: &App, user: &UserRow, password: SecretString) -> Result<(), OperatorError> {
    let personal = [user.email.as_str(), user.username.as_str()];
    if let Some(problem) = password_problem(app, &password, &personal).await {
        return Err(OperatorError::Refused(vec![problem.message()]));
    }
    let hash = app.passwords.hash(password, Requester::OPERATOR).await.map_err(Error::from)?;
    let mut tx = app.store.begin().await?;
    let Some(stored) = tx.user_lock(user.id).await? else {
        return Err(OperatorError::NoSuchUser(user.id.to_string()));
    };
    tx.user_set_password_hash(user.id, stored.password_hash.as_deref(), &hash).await?;
    tx.account_tokens_delete_of_user(user.id, AccountTokenKind::PasswordReset).await?;
    tx.sessions_end_of_user(user.id, EndReason::PasswordSet.as_str()).await?;
    record(&mut tx, AuditKind::PasswordChanged, user.id).await?;
    mail::notify(app, &mut tx, &stored, Notice::PasswordChanged).await?;
    tx.commit().await?;
    Ok(())
}
