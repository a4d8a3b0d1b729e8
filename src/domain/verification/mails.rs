//! The emails that verify an email address.

use super::token::{CODE_TTL, IssuedToken};
use crate::context::App;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::model::verification::AccountTokenKind;
use crate::store::{AccountTokenRow, Tx};

/// The recipient of a verification email.
#[derive(Clone, Copy, Default)]
pub(in crate::domain) struct Recipient<'a> {
    /// The username of the account whose address changes.
    pub(in crate::domain) username: Option<&'a str>,
    /// Whether an account that never verified the address holds it.
    pub(in crate::domain) account_exists: bool,
}

/// Queues the email with link and code.
pub(in crate::domain) async fn send(
    app: &App,
    tx: &mut Tx,
    issued: &IssuedToken,
    recipient: Recipient<'_>,
    locale: Locale,
) -> Result<(), Error> {
    let AccountTokenRow { id, user_id, email, sent_at, expires_at, .. } = &issued.row;
    let (token, code) = (&issued.token, issued.code.text());
    let (code_expires_at, expires_at) = (*sent_at + CODE_TTL, *expires_at);
    let mail = match (issued.row.kind, user_id) {
        (AccountTokenKind::EmailChange, Some(user)) => {
            let username = recipient.username.unwrap_or_default();
            Mail::ChangeEmail { user: *user, username, token, code, code_expires_at, expires_at }
        }
        (_, Some(user)) => Mail::VerifyEmail { user: *user, token, code, code_expires_at, expires_at },
        (_, None) => {
            let account_exists = recipient.account_exists;
            Mail::ConfirmSignup { signup: *id, token, code, code_expires_at, expires_at, account_exists }
        }
    };
    mail::queue_in(app, tx, email, locale, mail).await?;
    Ok(())
}

/// Notifies the owner of an address that someone, perhaps the owner, tried to use it for another account.
pub(in crate::domain) async fn send_address_taken(
    app: &App,
    tx: &mut Tx,
    row: &AccountTokenRow,
    locale: Locale,
) -> Result<(), Error> {
    let mail = Mail::AddressTaken { about: row.id, expires_at: row.expires_at };
    mail::queue_in(app, tx, &row.email, locale, mail).await?;
    Ok(())
}
