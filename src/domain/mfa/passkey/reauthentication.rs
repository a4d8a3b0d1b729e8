//! A passkey shown again by somebody who is logged in.

use super::add::Answer;
use super::at_origin;
use super::verify::{NotShown, is_of, judge};
use crate::context::App;
use crate::crypto::passkey::{PasskeyError, Presented, Question};
use crate::error::Error;
use crate::model::ids::UserId;
use crate::store::Tx;

/// What a browser is asked to show that it is this user; `None` if the account has no passkey, or where browsers know
/// none.
pub async fn ask_own(app: &App, user: UserId, browser: &str) -> Result<Option<Question>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    let present = app.store.read().await?.passkeys_of_user(user).await?;
    if present.is_empty() {
        return Ok(None);
    }
    let present = present.into_iter().map(|row| row.credential_id).collect();
    let question = passkeys.ask_one_of(user.0.as_bytes(), present, browser, app.clock.now());
    question.map(Some).map_err(Error::crypto)
}

/// Judges the answer to [`ask_own`] of a user whom the transaction has locked. An answer to the question of the log-in is
/// none to this one.
pub(in crate::domain) async fn show(app: &App, tx: &mut Tx, user: UserId, answer: &Answer<'_>) -> Result<(), NotShown> {
    let presented = Presented::parse(answer.credential)?;
    let not_theirs = || PasskeyError::Refused("it is not this user's".to_owned());
    let found = tx.passkey_find_by_credential(presented.credential_id()).await?;
    let found = found.filter(|found| found.user_id == user).ok_or_else(not_theirs)?;
    // An authenticator that was told which passkeys are meant need not say whose they are (WebAuthn level 3, 7.2, step 6).
    if presented.handle().is_some() && !is_of(&presented, user) {
        return Err(not_theirs().into());
    }
    judge(app, tx, (user, found.id), &presented, (user.0.as_bytes(), answer)).await
}
