//! An address is proved, by link or by code.

use super::Kind;
use super::issue::{CODE_FAILURES, CODE_TRIES, CODE_TTL};
use super::link::look_up;
use super::sign_up;
use crate::app::App;
use crate::crypto::token_hash::TokenPurpose;
use crate::domain::Error;
use crate::domain::accounts::{Arrival, SignUpError};
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::ids::{AccountTokenId, SessionId, UserId};
use crate::domain::sessions::{EndReason, Opened};
use crate::store::{AccountTokenRow, StoreError, Tx};
use secrecy::SecretString;

/// What came with the mail.
#[derive(Clone, Copy)]
pub enum Proof<'a> {
    /// The token of its link.
    Link(&'a str),
    /// Its code, typed where this waits.
    Code(AccountTokenId, &'a str),
}

/// What shows that whoever has the mail also made the account: a mailbox alone gives nobody an account that somebody else
/// has a password for.
pub enum Holder {
    /// This browser is logged in with the account.
    Session(SessionId, UserId),
    /// This browser signed up, or gave the right password, and was sent to prove the address.
    Browser(AccountTokenId),
    /// The password was typed beside the link.
    Password(SecretString),
}

/// What a proof led to.
pub enum Proved {
    /// An account that begins with it, and its first session.
    SignedUp {
        /// The account.
        user: UserId,
        /// Its session.
        opened: Opened,
        /// Where the flow is to end.
        return_to: Option<String>,
    },
    /// The address of an account is proved.
    Verified {
        /// Where the flow is to end.
        return_to: Option<String>,
    },
}

/// Why an address was not proved.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// Used, replaced by a newer mail, over, or never mailed.
    #[error("the link is not valid")]
    Unknown,
    /// The mail is right, but nothing shows that who has it made the account.
    #[error("not the browser or the password of the account")]
    NotHolder,
    /// Not the code.
    #[error("not the code")]
    WrongCode {
        /// How many tries are left for it.
        left: i64,
    },
    /// The code is over, or was tried too often: another mail has a new one, and the link is good still.
    #[error("the code is not taken any more")]
    CodeOver,
    /// The address is another account's by now.
    #[error("the address has another account")]
    AddressTaken,
    /// The invitation that the sign-up was for is over, and others may not sign up.
    #[error("the invitation is no longer valid")]
    InvitationVoid,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ProveError {
    fn from(error: StoreError) -> Self {
        ProveError::Failed(error.into())
    }
}

impl From<SignUpError> for ProveError {
    fn from(error: SignUpError) -> Self {
        match error {
            SignUpError::Failed(error) => ProveError::Failed(error),
            SignUpError::InvitationVoid | SignUpError::NotOpen(_) => ProveError::InvitationVoid,
            // What was typed was accepted before; only the address can have been taken since.
            SignUpError::Fields(_) | SignUpError::TooSoon(_) => ProveError::AddressTaken,
        }
    }
}

/// Proves the address of an account or of a sign-up. For the first proof, whatever session the account had besides the
/// holder's own ends.
pub async fn prove(app: &App, proof: Proof<'_>, holder: Holder, arrival: &Arrival) -> Result<Proved, ProveError> {
    let mut conn = app.store.read().await?;
    let row = match proof {
        Proof::Link(token) => look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await?,
        Proof::Code(id, _) => conn.account_token_find(id).await?,
    };
    let row = row.filter(|row| row.kind != Kind::EmailChange).ok_or(ProveError::Unknown)?;
    let stored = match row.user_id {
        Some(user) => conn.user_find(user).await?.and_then(|user| user.password_hash),
        None => row.password_hash.clone(),
    };
    drop(conn);
    must_be_holder(app, &row, &holder, stored.clone()).await?;
    let Some(user) = row.user_id else {
        return sign_up::complete(app, &row, proof, arrival).await;
    };
    let mut tx = app.store.begin().await?;
    let locked = tx.user_lock(user).await?.filter(|user| user.email == row.email);
    let locked = locked.filter(|user| user.password_hash == stored).ok_or(ProveError::Unknown)?;
    let (mut tx, row) = checked(app, tx, row.id, proof).await?;
    let own = match holder {
        Holder::Session(session, _) => Some(session),
        Holder::Browser(_) | Holder::Password(_) => None,
    };
    if locked.email_verified_at.is_none() {
        tx.user_set_email_verified(user).await?;
        tx.sessions_end_others(user, own.unwrap_or(SessionId(uuid::Uuid::nil())), EndReason::AddressProved.as_str())
            .await?;
        let by = By::user(user, own, arrival.device.clone());
        tx.audit_push(&AuditEntry::new(AuditKind::EmailVerified, user, &by)).await?;
    }
    tx.account_token_delete(row.id).await?;
    tx.account_tokens_delete_sign_ups(&row.email_key).await?;
    tx.commit().await?;
    tracing::info!(user = %user, "e-mail address proved");
    Ok(Proved::Verified { return_to: row.return_to })
}

async fn must_be_holder(
    app: &App,
    row: &AccountTokenRow,
    holder: &Holder,
    stored: Option<String>,
) -> Result<(), ProveError> {
    let is_holder = match holder {
        Holder::Session(_, user) => row.user_id == Some(*user),
        Holder::Browser(id) => row.id == *id,
        Holder::Password(password) => {
            app.passwords.verify(password.clone(), stored).await.map_err(Error::from)?.is_right()
        }
    };
    if is_holder { Ok(()) } else { Err(ProveError::NotHolder) }
}

/// Checks link or code once more, with the row locked. A wrong code is counted, which ends the transaction.
pub(super) async fn checked(
    app: &App,
    mut tx: Tx,
    id: AccountTokenId,
    proof: Proof<'_>,
) -> Result<(Tx, AccountTokenRow), ProveError> {
    let now = app.clock.now();
    let row = tx.account_token_lock(id).await?.filter(|row| now < row.expires_at).ok_or(ProveError::Unknown)?;
    let code = match proof {
        Proof::Link(token) => {
            let found = look_up(app, &mut tx, TokenPurpose::EmailVerification, token).await?;
            let found = found.filter(|found| found.id == id).ok_or(ProveError::Unknown)?;
            return Ok((tx, found));
        }
        Proof::Code(_, code) => code,
    };
    let failures = match row.kind {
        // Whoever guesses codes does not get more tries by signing up again, or with more accounts.
        Kind::SignUp | Kind::EmailChange => tx.code_failures_at(&row.email_key, row.kind).await?.max(row.code_failures),
        _ => row.code_failures,
    };
    let over = row.sent_at + CODE_TTL <= now || row.wrong_codes >= CODE_TRIES || failures >= CODE_FAILURES;
    let Some(stored) = row.code_hash.as_deref().filter(|_| !over) else { return Err(ProveError::CodeOver) };
    if app.secret_keys.is_mail_code(id.0, code, stored) {
        return Ok((tx, row));
    }
    tx.account_token_count_failure(id).await?;
    tx.commit().await?;
    Err(ProveError::WrongCode { left: CODE_TRIES - row.wrong_codes - 1 })
}
