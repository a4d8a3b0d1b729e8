//! `doorward user unlock`, `set-email`, `send-password-reset` and `send-verification`: a way in for people who lost theirs.

use super::args::{SetEmail, UserArgument};
use super::failure::Failure;
use super::output::{Changed, Output};
use super::runner::as_operator;
use super::user;
use super::which_user;
use crate::context::App;
use crate::domain::account::unlock;
use crate::domain::account::update::UserUpdate;
use crate::domain::directory::user::UserRecord;
use crate::domain::mailed_token::request;
use crate::domain::verification::password_reset_mail;
use crate::model::ids::UserId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::Principal;
use serde::Serialize;

/// Takes back what refuses the logins of an account.
pub(super) async fn unlock(app: &App, which: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let found = which_user::find(&app.store, &which.user).await?;
    let changed = as_operator(app, unlock::Unlock { user: found.id }).await?;
    let email = in_letters(&found.email);
    let text = if changed {
        format!("{email} logs in again without a delay; failed logins are counted anew")
    } else {
        format!("Nothing to change: no failed logins of {email} are counted")
    };
    out.result(&Changed { record: user::find(app, found.id).await?, changed }, &text)
}

/// Sets the email address of an account.
pub(super) async fn set_email(app: &App, new: SetEmail, out: &mut Output<'_>) -> Result<(), Failure> {
    let email_verified = new.verified.then_some(true);
    let change = UserUpdate { email: Some(new.email), email_verified, ..UserUpdate::default() };
    let (found, changed) = which_user::update(app, &new.user, change).await?;
    let record = user::find(app, found.id).await?;
    let state = if record.email_verified_at.is_some() { "verified" } else { "unverified" };
    let (username, email) = (&record.username, in_letters(&record.email));
    let text = if changed {
        format!("The email address of {username} is {email} now ({state})")
    } else {
        format!("Nothing to change: the email address of {username} is {email} ({state})")
    };
    out.result(&Changed { record, changed }, &text)
}

/// Mails a link to set a new password.
pub(super) async fn send_password_reset(app: &App, which: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &which.user).await?;
    as_operator(app, password_reset_mail::SendReset { user: user.id }).await?;
    report(app, user.id, "The email with a link to set a new password", out).await
}

/// Mails link and code to verify an address.
pub(super) async fn send_verification(app: &App, which: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &which.user).await?;
    request::resend_to(app, &Principal::operator(), user.id).await?;
    report(app, user.id, "The email with a link and a code to verify the address", out).await
}

/// An account to which a mail was written, and whether it leaves.
#[derive(Serialize)]
struct Mailed {
    #[serde(flatten)]
    record: UserRecord,
    mailed: bool,
}

async fn report(app: &App, user: UserId, what: &str, out: &mut Output<'_>) -> Result<(), Failure> {
    let record = user::find(app, user).await?;
    let mailed = app.settings.mail.smtp.is_some();
    let email = in_letters(&record.email);
    let text = if mailed {
        format!("{what} was sent to {email}")
    } else {
        format!("{what} waits for {email}, as email is not set up. doorward mail list shows it, and mail link its link")
    };
    out.result(&Mailed { record, mailed }, &text)
}
