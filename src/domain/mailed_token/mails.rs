//! The emails that verify an email address.

use super::token::IssuedToken;
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, availability_of};
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::model::ids::MailId;
use crate::model::verification::{AccountTokenKind, CODE_TTL};
use crate::store::{AccountTokenRow, Tx, UserRow};
use uuid::Uuid;

/// Queues the email with link and code, for `user` if there is an account; or, if the address is taken, one that tells its
/// owner that someone, perhaps the owner, tried to use it for another account. An address that was never verified has
/// no owner to tell. The language is that of the account that is written to; `locale` if it is not known.
///
/// The same statements run in each case, so that the timing does not permit account enumeration.
pub(in crate::domain) async fn send(
    app: &App,
    tx: &mut Tx,
    issued: &IssuedToken,
    user: Option<&UserRow>,
    locale: Locale,
) -> Result<(), Error> {
    let availability = availability_of(tx, &issued.row).await?;
    let of_holder = tx.user_language_at(&issued.row.email_key).await?;
    let language = if availability.is_taken() { of_holder } else { user.and_then(|user| user.language) };
    let mail = mail_to(issued, availability);
    let queued = mail::queue(app, tx, &issued.row.email, language.unwrap_or(locale), mail).await?;
    let is_unwanted = availability == EmailAvailability::Blocked;
    tx.mail_discard(if is_unwanted { queued } else { MailId(Uuid::nil()) }).await?;
    Ok(())
}

fn mail_to(issued: &IssuedToken, availability: EmailAvailability) -> Mail<'_> {
    let AccountTokenRow { id, user_id, sent_at, expires_at, .. } = &issued.row;
    if availability.is_taken() {
        return Mail::AddressTaken { about: *id, expires_at: *expires_at };
    }
    let (token, code) = (&issued.token, issued.code.text());
    let (code_expires_at, expires_at) = (*sent_at + CODE_TTL, *expires_at);
    match (issued.row.kind, user_id) {
        (AccountTokenKind::EmailChange, Some(user)) => {
            Mail::ChangeEmail { user: *user, token, code, code_expires_at, expires_at }
        }
        (_, Some(user)) => Mail::VerifyEmail { user: *user, token, code, code_expires_at, expires_at },
        (_, None) => {
            let account_exists = availability == EmailAvailability::HeldUnverified;
            Mail::ConfirmSignup { signup: *id, token, code, code_expires_at, expires_at, account_exists }
        }
    }
}
