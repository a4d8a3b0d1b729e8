//! A new passkey.

use super::at_origin;
use crate::context::App;
use crate::crypto::passkey::{NewOwner, PasskeyError, Question};
use crate::error::Error;
use crate::mail::{self, Mail, SignInMethod};
use crate::messages::Message;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{PasskeyId, UserId};
use crate::random;
use crate::store::{PasskeyRow, StoreError};

/// Longest name, in characters.
pub const NAME_MAX: usize = 60;
/// More are of no use to anybody.
const MOST: usize = 20;

/// Why a passkey was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// Something is wrong with the name.
    #[error("the name cannot be used")]
    Name(Message),
    /// The browser's answer was not good, or came too late.
    #[error("the passkey was refused")]
    Refused(Message),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for AddError {
    fn from(error: StoreError) -> Self {
        AddError::Failed(error.into())
    }
}

/// Checks a name.
pub(super) fn check_name(name: &str) -> Result<String, Message> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Message::new("name-missing"));
    }
    if name.chars().count() > NAME_MAX {
        return Err(Message::new("name-too-long").number("max", NAME_MAX));
    }
    if name.chars().any(char::is_control) {
        return Err(Message::new("name-invisible"));
    }
    Ok(name.to_owned())
}

/// What a browser is asked for a new passkey; `None` where browsers know none.
pub async fn ask_new(app: &App, user: UserId, browser: &str) -> Result<Option<Question>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    let mut conn = app.store.read().await?;
    let Some(account) = conn.user_find(user).await? else { return Ok(None) };
    let present = conn.passkeys_of_user(user).await?.into_iter().map(|row| row.credential_id).collect();
    let owner = NewOwner { handle: user.0.as_bytes(), name: &account.username };
    let question = passkeys.ask_new(&owner, present, browser, app.clock.now());
    question.map(Some).map_err(Error::crypto)
}

/// A browser's answer.
pub struct Answer<'a> {
    /// What the authenticator gave.
    pub credential: &'a str,
    /// The question's state.
    pub state: &'a str,
    /// The CSRF token of the browser that was asked.
    pub browser: &'a str,
}

/// Adds a passkey under a name.
pub async fn add(app: &App, by: &By, user: UserId, name: &str, answer: &Answer<'_>) -> Result<(), AddError> {
    let name = check_name(name).map_err(AddError::Name)?;
    let void = || AddError::Refused(Message::new("passkey-void"));
    let passkeys = at_origin(app).ok_or_else(void)?;
    let question = (user.0.as_bytes().as_slice(), answer.state, answer.browser);
    let now = app.clock.now();
    let (stored, asked) = passkeys.judge_new(answer.credential, question, now).map_err(|error| {
        tracing::info!(user = %user, "a new passkey was refused: {error}");
        AddError::Refused(Message::new(if error == PasskeyError::Void { "passkey-void" } else { "passkey-refused" }))
    })?;
    let mut tx = app.store.begin().await?;
    let account = tx.user_lock_in(user, by.session()).await?.ok_or_else(void)?;
    if !tx.passkey_challenge_use(&asked.challenge_hash, asked.expires_at).await? {
        return Err(void());
    }
    if tx.passkeys_of_user(user).await?.len() >= MOST {
        return Err(AddError::Refused(Message::new("passkey-too-many").number("max", MOST)));
    }
    let row = PasskeyRow {
        id: PasskeyId(random::uuid_v7(now).map_err(Error::from)?),
        user_id: user,
        credential_id: stored.credential_id,
        name,
        credential: stored.credential,
        counter: i64::from(stored.counter),
        backed_up: stored.backed_up,
        created_at: now,
        last_used_at: None,
    };
    if !tx.passkey_create(&row).await? {
        return Err(AddError::Refused(Message::new("passkey-known")));
    }
    let notice = Mail::SignInMethodAdded { user, method: SignInMethod::Passkey };
    mail::queue(app, &mut tx, &account.email, notice).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::PasskeyAdded, user, by).with_detail(&row.name)).await?;
    tx.commit().await?;
    tracing::info!(user = %user, passkey = %row.id, "passkey added");
    Ok(())
}
