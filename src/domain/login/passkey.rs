//! Log-in with a passkey, without a name: the passkey says whose it is.

use super::complete::{Arrival, Entered, Shown, enter};
use super::error::LogInError;
use crate::context::App;
use crate::crypto::passkey::{ANYBODY, PasskeyError, Presented, Question};
use crate::domain::mfa::passkey::add::Answer;
use crate::domain::mfa::passkey::at_origin;
use crate::domain::mfa::passkey::verify::{NotShown, is_of, judge, note_refused};
use crate::domain::session::lifecycle::Opened;
use crate::error::Error;
use crate::model::audit::AuditKind;
use crate::model::ids::UserId;
use crate::store::StoreError;

/// What a browser is asked for at the log-in; `None` where browsers know no passkeys.
pub fn ask_any(app: &App, browser: &str) -> Result<Option<Question>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    passkeys.ask_any(browser, app.clock.now()).map(Some).map_err(Error::crypto)
}

/// Why a passkey did not let anybody in.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyLogInError {
    /// The question is too old, or was answered before.
    #[error("the question is void")]
    Void,
    /// No such passkey, or its answer is not good.
    #[error("the passkey was refused")]
    Refused,
    /// The passkey is right, but the address is to be proved first.
    #[error("the address is not proved")]
    Unproved(UserId),
    /// An operator disabled the user.
    #[error("the user is disabled")]
    Disabled,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for PasskeyLogInError {
    fn from(error: StoreError) -> Self {
        PasskeyLogInError::Failed(error.into())
    }
}

impl From<LogInError> for PasskeyLogInError {
    fn from(error: LogInError) -> Self {
        match error {
            LogInError::WrongCredentials => PasskeyLogInError::Refused,
            LogInError::Unproved(user) => PasskeyLogInError::Unproved(user),
            LogInError::Disabled => PasskeyLogInError::Disabled,
            LogInError::Failed(error) => PasskeyLogInError::Failed(error),
        }
    }
}

/// Logs in with the answer of a passkey.
pub async fn log_in(app: &App, answer: &Answer<'_>, arrival: &Arrival) -> Result<Opened, PasskeyLogInError> {
    let presented = Presented::parse(answer.credential).map_err(|error| refuse(app, None, arrival, &error))?;
    let found = app.store.read().await?.passkey_find_by_credential(presented.credential_id()).await?;
    let unknown = || refuse(app, None, arrival, &PasskeyError::Refused("it is not known".to_owned()));
    let found = found.ok_or_else(unknown)?;
    if !is_of(&presented, found.user_id) {
        return Err(refuse(app, None, arrival, &PasskeyError::Refused("it says it is another user's".to_owned())));
    }
    let mut tx = app.store.begin().await?;
    let user = tx.user_lock(found.user_id).await?.ok_or(PasskeyLogInError::Refused)?;
    judge(app, &mut tx, (user.id, found.id), &presented, (ANYBODY, answer)).await.map_err(|error| match error {
        NotShown::Refused(error) => refuse(app, Some(user.id), arrival, &error),
        NotShown::Failed(error) => error.into(),
    })?;
    let Entered::Session(opened) = enter(app, &mut tx, &user, Shown::Passkey, arrival).await? else {
        return Err(Error::Inconsistent("a second factor was asked for after a passkey".to_owned()).into());
    };
    tx.commit().await?;
    tracing::info!(user = %user.id, session = %opened.session_id, passkey = %found.id, "logged in with a passkey");
    Ok(opened)
}

fn refuse(app: &App, user: Option<UserId>, arrival: &Arrival, error: &PasskeyError) -> PasskeyLogInError {
    note_refused(app, (AuditKind::SignInFailed, user), &arrival.device, error);
    if *error == PasskeyError::Void { PasskeyLogInError::Void } else { PasskeyLogInError::Refused }
}
