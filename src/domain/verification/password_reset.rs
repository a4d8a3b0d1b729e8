//! Password reset by a mailed link.

use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::crypto::token_hash::LinkToken;
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::identity::new_password;
use crate::domain::login::complete::{ClientContext, LoginOutcome, complete_login};
use crate::domain::mailed_token::link::look_up;
use crate::domain::mailed_token::token::{IssuedToken, draft};
use crate::domain::ownership::credentials;
use crate::domain::ownership::unverified::{self, UnverifiedHolder, WhoseAccount};
use crate::domain::registration::new_account::{
    self, Account, IfTaken, SignupError, UsernameAttempts, unless_name_taken,
};
use crate::error::Error;
use crate::mail::{self, Notice};
use crate::messages::Message;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::session::EndReason;
use crate::model::verification::{AccountTokenKind, TokenPurpose};
use crate::refusal::{ChangeError, FieldName, Refusal};
use crate::store::{AccountTokenRow, Conn, Tx, UserRow};
use secrecy::SecretString;

/// The link was used, replaced by a newer one, has expired, or never existed.
pub(super) const NO_LINK: Refusal = Refusal::NotFound("link");

pub(super) async fn issue_reset_token(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    address: &EmailAddress,
    return_to: Option<&str>,
) -> Result<IssuedToken, Error> {
    tx.account_tokens_delete_of_user(user, AccountTokenKind::PasswordReset).await?;
    let issued = IssuedToken::issue(app, draft(app, AccountTokenKind::PasswordReset, Some(user), address, return_to)?)?;
    issued.store(tx).await?;
    Ok(issued)
}

/// Issues a link for a user who has just verified the address with another mailed link.
pub(super) async fn issue_reset_link(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    address: &EmailAddress,
) -> Result<LinkToken, Error> {
    Ok(issue_reset_token(app, tx, user, address, None).await?.token)
}

/// Returns the account of a link, if the link is valid.
async fn find_user(app: &App, conn: &mut Conn, token: &str) -> Result<Option<UserRow>, Error> {
    let Some(row) = look_up(app, conn, TokenPurpose::PasswordReset, token).await? else { return Ok(None) };
    let Some(user) = row.user_id else { return Ok(None) };
    Ok(conn.user_find(user).await?)
}

pub struct ResetDetails {
    pub email: String,
    /// What to ask about the account, if it never verified the address.
    pub question: Option<UnverifiedHolder>,
}

/// Returns what the page of a link shows, if the link is valid.
pub async fn find_reset(app: &App, principal: &Principal, token: &str) -> Result<Option<ResetDetails>, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let Some(user) = find_user(app, &mut conn, token).await? else { return Ok(None) };
    let is_asked = unverified::is_to_be_asked_about(&mut conn, &user).await?;
    let question = if is_asked { Some(unverified::describe(&mut conn, &user).await?) } else { None };
    Ok(Some(ResetDetails { email: user.email, question }))
}

pub struct Reset {
    pub user: UserId,
    pub email: String,
    pub return_to: Option<String>,
    /// The login that follows.
    pub login: LoginOutcome,
}

/// Sets a new password, ends every session, marks the address as verified, and logs in: the link has shown the mailbox,
/// and the password was just typed. A second factor stays and is asked for.
///
/// If the address was not verified before, `answer` says whose account it is. The person's own loses its earlier
/// credentials; someone else's keeps everything but the address, for which a new account is created
/// (docs/concepts/decisions/0007-whose-account-holds-an-address.md).
pub async fn reset(
    app: &App,
    token: &str,
    password: SecretString,
    answer: Option<WhoseAccount>,
    client: &ClientContext,
) -> Result<Reset, ChangeError> {
    let (anonymous, device) = (client.anonymous(), &client.device);
    let mut conn = app.store.read(&anonymous, Operation::PresentSecret).await?;
    let user = find_user(app, &mut conn, token).await?.ok_or(NO_LINK)?;
    let is_asked = unverified::is_to_be_asked_about(&mut conn, &user).await?;
    drop(conn);
    let personal = [user.email.as_str(), user.username.as_str()];
    let mut wrong: Vec<(FieldName, Message)> = Vec::new();
    if let Some(problem) = new_password::password_problem(app, &password, &personal).await {
        wrong.push(("password".into(), problem.message()));
    }
    if is_asked && answer.is_none() {
        wrong.push(("account".into(), unverified::NOT_ANSWERED.clone()));
    }
    if !wrong.is_empty() {
        return Err(Refusal::Fields(wrong).into());
    }
    let requester = Requester::client(Some(user.id), device);
    let hash = app.passwords.hash(password, requester).await.map_err(Error::from)?;
    if is_asked && answer == Some(WhoseAccount::NotMine) {
        return reset_to_new_account(app, token, &user, hash, client).await;
    }
    let mut tx = app.store.begin(&anonymous, Operation::PresentSecret).await?;
    let (mut user, row) = lock(app, &mut tx, user.id, token).await?.ok_or(NO_LINK)?;
    tx.continue_as(&Principal::secret_holder(user.id, device.clone()), Operation::ResetPassword)?;
    tx.require_own(user.id)?;
    let mut stored = user.password_hash.clone();
    if user.email_verified_at.is_none() {
        credentials::claim_unverified_account(app, &mut tx, &user).await?;
        tx.record_account(user.id, AccountChange::EmailVerified).await?;
        stored = None;
        user.email_verified_at = Some(app.clock.now());
    }
    tx.user_set_password_hash(user.id, stored.as_deref(), &hash).await?;
    tx.sessions_end_of_user(user.id, EndReason::PasswordReset.as_str()).await?;
    // A previous user of the account may have requested these.
    for kind in [AccountTokenKind::PasswordReset, AccountTokenKind::EmailChange, AccountTokenKind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    tx.account_tokens_delete_signups(&row.email_key).await?;
    tx.record_account(user.id, AccountChange::PasswordReset).await?;
    user.password_hash = Some(hash);
    let spoken = UserRow { language: user.language.or(Some(client.locale)), ..user.clone() };
    mail::notify(app, &mut tx, &spoken, Notice::PasswordChanged).await?;
    let login = log_in(app, &mut tx, &user, client).await?;
    tx.commit().await?;
    Ok(Reset { user: user.id, email: user.email, return_to: row.return_to, login })
}

/// Logs in with the new password, which the holder of the mailbox has just set.
async fn log_in(app: &App, tx: &mut Tx, user: &UserRow, client: &ClientContext) -> Result<LoginOutcome, Error> {
    tx.continue_as(&client.anonymous(), Operation::LogIn)?;
    let now = app.store.database_time();
    let shown = Authentication::by(AuthMethod::Password, now).with(AuthMethod::MailedLink, now);
    complete_login(app, tx, user, shown, client).await
}

/// Locks the account of a link and checks the link again; both stay valid for this transaction.
async fn lock(app: &App, tx: &mut Tx, user: UserId, token: &str) -> Result<Option<(UserRow, AccountTokenRow)>, Error> {
    let Some(user) = tx.user_lock(user).await? else { return Ok(None) };
    let row = look_up(app, tx, TokenPurpose::PasswordReset, token).await?;
    Ok(row.filter(|row| row.user_id == Some(user.id) && row.email == user.email).map(|row| (user, row)))
}

/// Creates an account with the address that the link verified, which someone else's account held before.
async fn reset_to_new_account(
    app: &App,
    token: &str,
    found: &UserRow,
    password_hash: String,
    client: &ClientContext,
) -> Result<Reset, ChangeError> {
    let device = &client.device;
    let email = EmailAddress::from_stored(&found.email);
    let username = Username::derived(&email);
    let (if_taken, language) = (IfTaken::Number, Some(client.locale));
    let password_hash = Some(password_hash);
    let account = Account { email, username, if_taken, password_hash, roles: Roles::NONE, language };
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin(&Principal::anonymous(device.clone()), Operation::PresentSecret).await?;
        let (holder, row) = lock(app, &mut tx, found.id, token).await?.ok_or(NO_LINK)?;
        if holder.email_verified_at.is_some() || holder.disabled_at.is_some() {
            return Err(NO_LINK.into());
        }
        tx.continue_as(&Principal::secret_holder(holder.id, device.clone()), Operation::ResetPassword)?;
        tx.require_own(holder.id)?;
        unverified::release_address(&mut tx, holder.id).await?;
        // The holder of the link has no account yet.
        tx.continue_as(&Principal::anonymous(device.clone()), Operation::SignUp)?;
        let inserted = new_account::insert_direct(app, &mut tx, &account, attempt, true).await;
        let inserted = match unless_name_taken(inserted) {
            Ok(Some(inserted)) => inserted,
            Ok(None) => continue,
            // Another account has taken the address since.
            Err(SignupError::Fields(_)) => return Err(NO_LINK.into()),
            Err(error) => return Err(error.into()),
        };
        let user = inserted.user.id;
        tx.record_account(user, AccountChange::EmailVerified).await?;
        tx.account_tokens_delete_signups(&row.email_key).await?;
        let login = log_in(app, &mut tx, &inserted.user, client).await?;
        tx.commit().await?;
        return Ok(Reset { user, email: found.email.clone(), return_to: row.return_to, login });
    }
}
