//! Changes of the email address: the new one takes effect once verified, and the old one is mailed an undo link.

use crate::context::App;
use crate::domain::change::Change;
use crate::domain::identity::availability::availability_of;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::mailed_token::link::look_up;
use crate::domain::mailed_token::mails::send;
use crate::domain::mailed_token::token::{IssuedToken, draft};
use crate::domain::mailed_token::token_check::{MailedSecret, VerifyError, verify_secret};
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::{Locale, Message};
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::model::verification::{AccountTokenKind, TokenPurpose};
use crate::rate_limit::RateLimit;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{AccountTokenRow, Constraint, StoreError, Tx, UserRow};

/// Emails link and code to a new address, replacing a pending change. Against account enumeration, only the owner of
/// the address learns whether it has another account.
pub struct BeginEmailChange {
    user: UserId,
    email: EmailAddress,
    locale: Locale,
}

impl BeginEmailChange {
    /// Counts the mail to the address, which is limited.
    pub async fn prepare(app: &App, user: UserId, address: &str, locale: Locale) -> Result<Self, ChangeError> {
        let email = EmailAddress::parse(address).map_err(|why| Refusal::field("email", why))?;
        app.rate_limiter.check(RateLimit::MailTo(&email.key())).await?;
        Ok(Self { user, email, locale })
    }
}

impl Change for BeginEmailChange {
    const OPERATION: Operation = Operation::ChangeOwnAccount;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = tx.user_lock(self.user).await?.ok_or(Refusal::NotFound("user"))?;
        tx.require_own(user.id)?;
        if EmailAddress::from_stored(&user.email).key() == self.email.key() {
            return Err(Refusal::field("email", Message::new("email-change-same")).into());
        }
        let row = draft(app, AccountTokenKind::EmailChange, Some(user.id), &self.email, None)?;
        tx.account_tokens_delete_of_user(user.id, AccountTokenKind::EmailChange).await?;
        let issued = IssuedToken::issue(app, row)?;
        issued.store(tx).await?;
        Ok(send(app, tx, &issued, Some(&user), self.locale).await?)
    }
}

pub async fn pending_email_change(
    app: &App,
    principal: &Principal,
    user: UserId,
) -> Result<Option<AccountTokenRow>, Error> {
    let row = app
        .store
        .read_own(principal, Operation::ReadOwnAccount, user)
        .await?
        .account_token_of_user(user, AccountTokenKind::EmailChange)
        .await?;
    Ok(row.filter(|row| app.clock.now() < row.expires_at))
}

pub struct CancelEmailChange {
    pub user: UserId,
}

impl Change for CancelEmailChange {
    const OPERATION: Operation = Operation::ChangeOwnAccount;
    type Made = ();

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        tx.require_own(self.user)?;
        Ok(tx.account_tokens_delete_of_user(self.user, AccountTokenKind::EmailChange).await?)
    }
}

/// Changes the address of the logged-in account to the one that the link or code verifies.
pub async fn confirm_email_change(
    app: &App,
    secret: MailedSecret<'_>,
    user: UserId,
    principal: &Principal,
) -> Result<(), VerifyError> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let row = match secret {
        MailedSecret::Link(token) => look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await?,
        MailedSecret::Code { id, .. } => conn.account_token_find(id).await?,
    };
    let row = row.filter(|row| row.kind == AccountTokenKind::EmailChange).ok_or(VerifyError::Unknown)?;
    if row.user_id != Some(user) {
        return Err(VerifyError::NotHolder);
    }
    drop(conn);
    let mut tx = app.store.begin(principal, Operation::ChangeOwnAccount).await?;
    let user = tx.user_lock_own().await?.ok_or(VerifyError::Unknown)?;
    let row = match verify_secret(app, &mut tx, row.id, secret).await {
        Ok(row) => row,
        Err(refusal) => return Err(refusal.end(tx).await),
    };
    if availability_of(&mut tx, &row).await?.is_taken() {
        return Err(VerifyError::AddressTaken);
    }
    apply(app, &mut tx, &user, &row).await?;
    Ok(tx.commit().await?)
}

async fn apply(app: &App, tx: &mut Tx, user: &UserRow, row: &AccountTokenRow) -> Result<(), VerifyError> {
    match tx.user_set_email(user.id, &row.email, &row.email_key).await {
        Err(StoreError::Constraint(Constraint::UserEmail)) => return Err(VerifyError::AddressTaken),
        outcome => outcome?,
    }
    // Void all links and codes for the old address.
    for kind in [AccountTokenKind::EmailChange, AccountTokenKind::PasswordReset, AccountTokenKind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    tx.account_tokens_delete_signups(&row.email_key).await?;
    tx.record_account(user.id, AccountChange::EmailChanged).await?;
    // An address that was never verified may be a stranger's, who must neither be told nor get the account.
    if user.email_verified_at.is_none() {
        return Ok(());
    }
    let undo = draft(app, AccountTokenKind::EmailUndo, Some(user.id), &EmailAddress::from_stored(&user.email), None)?;
    let undo = IssuedToken::issue(app, undo)?;
    undo.store(tx).await?;
    let (token, expires_at) = (&undo.token, undo.row.expires_at);
    let principal = tx.principal();
    let device = mail::own_device(&principal, user);
    let mail = Mail::EmailChanged { user: user.id, called: user.label(), token, expires_at, device };
    mail::queue(app, tx, &user.email, mail::language(app, user), mail).await?;
    Ok(())
}
