//! Registration of a passkey.

use super::at_origin;
use crate::context::App;
use crate::crypto::passkey::{IssuedChallenge, PasskeyChallenge, PasskeyError, PasskeyUser, ReturnedChallenge};
use crate::domain::change::Change;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::{PasskeyId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::visible::is_invisible;
use crate::random;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{PasskeyRow, Tx};

/// In characters.
pub const MAX_NAME_LEN: usize = 60;
/// Per account; no user needs more.
const MAX_PASSKEYS: usize = 20;

/// The browser's response came too late, or was used.
const VOID: Refusal = Refusal::rule(Rule::Ended, "passkey-void");

pub struct PasskeyName(String);

impl PasskeyName {
    /// Trims and validates a name.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        let refuse = |why: Message| Err(Refusal::field("name", why));
        let name = name.trim();
        if name.is_empty() {
            return refuse(Message::new("name-missing"));
        }
        if name.chars().count() > MAX_NAME_LEN {
            return refuse(Message::new("name-too-long").number("max", MAX_NAME_LEN));
        }
        if name.chars().any(is_invisible) {
            return refuse(Message::new("name-invisible"));
        }
        Ok(Self(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Issues the challenge to register a passkey, or `None` where browsers support none.
pub async fn registration_challenge(
    app: &App,
    principal: &Principal,
    user: UserId,
    csrf_token: &str,
) -> Result<Option<PasskeyChallenge>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    let Some(account) = conn.user_find(user).await? else { return Ok(None) };
    let existing = conn.passkeys_of_user(user).await?.into_iter().map(|row| row.credential_id).collect();
    let owner = PasskeyUser { handle: user.0.as_bytes(), name: &account.username };
    let challenge = passkeys.start_registration(&owner, existing, csrf_token, app.clock.now());
    challenge.map(Some).map_err(Error::crypto)
}

pub struct PasskeyResponse<'a> {
    pub credential: &'a str,
    /// The sealed state of the challenge.
    pub state: &'a str,
    /// The CSRF token of the browser that was challenged.
    pub csrf_token: &'a str,
}

/// Adds a passkey to the principal's account.
pub struct AddPasskey {
    passkey: PasskeyRow,
    challenge: IssuedChallenge,
}

impl AddPasskey {
    /// Verifies the response to [`registration_challenge`].
    pub fn verified(app: &App, user: UserId, name: &str, response: &PasskeyResponse<'_>) -> Result<Self, ChangeError> {
        let (name, passkeys) = (PasskeyName::parse(name)?, at_origin(app).ok_or(VOID)?);
        let PasskeyResponse { credential, state, csrf_token: browser } = *response;
        let (returned, now) = (ReturnedChallenge { handle: user.0.as_bytes(), state, browser }, app.clock.now());
        let finished = passkeys.finish_registration(credential, returned, now);
        let (stored, challenge) = finished.map_err(|error| refuse(user, &error))?;
        let passkey = PasskeyRow {
            id: PasskeyId(random::uuid_v7(now)?),
            user_id: user,
            credential_id: stored.credential_id,
            name: name.0,
            credential: stored.credential,
            counter: i64::from(stored.counter),
            backed_up: stored.backed_up,
            created_at: now,
            last_used_at: None,
        };
        Ok(Self { passkey, challenge })
    }
}

impl Change for AddPasskey {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let Self { passkey, challenge } = self;
        let user = passkey.user_id;
        let account = tx.user_lock_own().await?.filter(|account| account.id == user).ok_or(VOID)?;
        if !tx.passkey_challenge_use(&challenge.challenge_hash, challenge.expires_at).await? {
            return Err(VOID.into());
        }
        if tx.passkeys_of_user(user).await?.len() >= MAX_PASSKEYS {
            let why = Message::new("passkey-too-many").number("max", MAX_PASSKEYS);
            return Err(Refusal::Rule(Rule::Full, why).into());
        }
        if !tx.passkey_create(&passkey).await? {
            return Err(Refusal::rule(Rule::Conflict, "passkey-known").into());
        }
        tx.record_account(user, AccountChange::PasskeyAdded(&passkey.name)).await?;
        let notice = Notice::LoginMethodAdded(LoginMethod::Passkey);
        Ok(mail::notify_of(app, tx, &account, notice, Some(&passkey.name)).await?)
    }
}

fn refuse(user: UserId, error: &PasskeyError) -> Refusal {
    tracing::info!(user = %user, "a new passkey was refused: {error}");
    match error {
        PasskeyError::InvalidChallenge => VOID,
        _ => Refusal::field("credential", Message::new("passkey-refused")),
    }
}
