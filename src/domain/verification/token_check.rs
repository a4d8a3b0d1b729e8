//! Whether a mailed link or code is valid, and what comes of it.

use super::link::look_up;
use super::token::{CODE_FAILURES, CODE_TRIES, CODE_TTL};
use crate::context::App;
use crate::domain::registration::new_account::SignUpError;
use crate::domain::session::lifecycle::Opened;
use crate::error::Error;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::verification::{Kind, TokenPurpose};
use crate::store::{AccountTokenRow, StoreError, Tx};

/// What came with the mail.
#[derive(Clone, Copy)]
pub enum Proof<'a> {
    /// The token of its link.
    Link(&'a str),
    /// Its code, typed where this waits.
    Code(AccountTokenId, &'a str),
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
            SignUpError::InvitationVoid => ProveError::InvitationVoid,
            // What was typed was accepted before; only the address can have been taken since.
            SignUpError::Fields(_) | SignUpError::TooSoon(_) => ProveError::AddressTaken,
        }
    }
}

/// Checks link or code once more, with the row locked. A wrong code is counted, which ends the transaction.
pub(in crate::domain) async fn checked(
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
