//! Verification of a mailed link or code.

use super::link::look_up;
use crate::context::App;
use crate::crypto::mail_code::MailCodeMatch;
use crate::domain::ownership::unverified::UnverifiedHolder;
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::verification::{CODE_TTL, TokenPurpose};
use crate::rate_limit::{CountedFor, ONE_CODE};
use crate::store::{AccountTokenRow, StoreError, Tx};
use std::net::IpAddr;

#[derive(Clone, Copy)]
pub enum MailedSecret<'a> {
    Link(&'a str),
    /// Its code, typed in the browser that this token is pending in.
    Code {
        id: AccountTokenId,
        typed: &'a str,
        /// The client's address: wrong codes count for its network too.
        from: IpAddr,
    },
}

pub enum VerifyOutcome {
    /// An account that never verified the address holds it: nothing changes before the person says whose it is.
    Question(UnverifiedHolder),
    /// A signup was completed, with a new account or with the one that held the address, and a session.
    SignedUp { user: UserId, opened: OpenedSession, return_to: Option<String> },
    /// A login of an account whose authenticator app is lost was completed.
    LoggedIn(OpenedSession),
    /// The address of an existing account is verified.
    Verified { return_to: Option<String> },
}

#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The link was used, replaced by a newer email, has expired, or never existed.
    #[error("the link is not valid")]
    Unknown,
    /// The link or code is valid, but nothing shows that its user created the account.
    #[error("not the browser or the password of the account")]
    NotHolder,
    #[error("not the code")]
    WrongCode {
        /// The number of attempts left for this code.
        remaining: i64,
    },
    /// The code of the email before the last one.
    #[error("a newer email has another code")]
    ReplacedCode,
    /// The code has expired or had too many wrong attempts, so a new email has a new one. The link is still valid.
    #[error("the code is no longer accepted")]
    CodeInvalidated,
    /// Too many wrong codes lately, so that none is accepted. The link is still valid.
    #[error("no code is accepted at present")]
    CodesRefused,
    /// Another account has taken the address since.
    #[error("the address has another account")]
    AddressTaken,
    /// The invitation of the signup is no longer valid, and signup without one is not open.
    #[error("the invitation is no longer valid")]
    InvitationVoid,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for VerifyError {
    fn from(error: StoreError) -> Self {
        VerifyError::Failed(error.into())
    }
}

/// Why a secret was not accepted. It becomes an error for the caller only with the end of the transaction, which commits
/// the count of a wrong code: no use case can roll it back.
#[must_use = "the transaction must end with it"]
pub(in crate::domain) struct SecretRefusal {
    error: VerifyError,
    is_counted: bool,
}

impl SecretRefusal {
    pub(in crate::domain) async fn end(self, tx: Tx) -> VerifyError {
        if !self.is_counted {
            return self.error;
        }
        match tx.commit_refusal(self.error).await {
            Ok(error) => error,
            Err(failed) => failed.into(),
        }
    }
}

impl<E: Into<VerifyError>> From<E> for SecretRefusal {
    fn from(error: E) -> Self {
        SecretRefusal { error: error.into(), is_counted: false }
    }
}

/// Checks link or code again under the row lock, and counts a wrong code.
pub(in crate::domain) async fn verify_secret(
    app: &App,
    tx: &mut Tx,
    id: AccountTokenId,
    secret: MailedSecret<'_>,
) -> Result<AccountTokenRow, SecretRefusal> {
    let row = lock(app, tx, id).await?;
    match secret {
        MailedSecret::Link(token) => {
            let found = look_up(app, tx, TokenPurpose::EmailVerification, token).await?;
            Ok(found.filter(|found| found.id == id).ok_or(VerifyError::Unknown)?)
        }
        MailedSecret::Code { typed, from, .. } => {
            verify_code(app, tx, &row, typed, CountedFor::Address(&row.email_key, from)).await?;
            Ok(row)
        }
    }
}

pub(super) async fn lock(app: &App, tx: &mut Tx, id: AccountTokenId) -> Result<AccountTokenRow, VerifyError> {
    let now = app.clock.now();
    tx.account_token_lock(id).await?.filter(|row| now < row.expires_at).ok_or(VerifyError::Unknown)
}

/// Checks a code of a row that this transaction has locked.
pub(super) async fn verify_code(
    app: &App,
    tx: &mut Tx,
    row: &AccountTokenRow,
    typed: &str,
    counted: CountedFor<'_>,
) -> Result<(), SecretRefusal> {
    let now = app.clock.now();
    let invalidated = row.sent_at + CODE_TTL <= now || ONE_CODE.left(row.wrong_codes) == 0;
    let Some(stored) = row.code_hash.as_deref().filter(|_| !invalidated) else {
        return Err(VerifyError::CodeInvalidated.into());
    };
    let mut failures = app.rate_limiter.lock_code_failures(tx, counted).await?;
    if failures.are_too_many() {
        return Err(VerifyError::CodesRefused.into());
    }
    match app.secret_keys.verify_mail_code(row.id.0, typed, stored) {
        MailCodeMatch::Right => return Ok(()),
        MailCodeMatch::Replaced => return Err(VerifyError::ReplacedCode.into()),
        MailCodeMatch::Wrong => {}
    }
    tx.account_token_count_failure(row.id).await?;
    failures.count_one(tx).await?;
    let remaining = if failures.are_too_many() { 0 } else { ONE_CODE.left(row.wrong_codes + 1) };
    Err(SecretRefusal { error: VerifyError::WrongCode { remaining }, is_counted: true })
}
