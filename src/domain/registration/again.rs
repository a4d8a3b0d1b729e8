//! A signup that its browser sends once more, as the first answer got lost: on a train, in a proxy, by a reload. It finds
//! what the first one made, so that one signup makes one account and one email.

use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::idempotency::RepeatableRequest;
use crate::domain::identity::identifiers::Username;
use crate::error::Error;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::store::Tx;
use secrecy::SecretString;
use uuid::Uuid;

/// What a signup made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    Account(UserId),
    /// A signup that waits for the verification of its address.
    Pending(AccountTokenId),
}

impl Made {
    fn bytes(self) -> Vec<u8> {
        let (kind, id) = match self {
            Made::Account(UserId(id)) => (0, id),
            Made::Pending(AccountTokenId(id)) => (1, id),
        };
        [&[kind], id.as_bytes().as_slice()].concat()
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (kind, id) = bytes.split_first()?;
        let id = Uuid::from_slice(id).ok()?;
        match kind {
            0 => Some(Made::Account(UserId(id))),
            1 => Some(Made::Pending(AccountTokenId(id))),
            _ => None,
        }
    }
}

/// A signup as a browser sends it, perhaps not for the first time.
pub struct SentSignup {
    request: RepeatableRequest,
    before: Option<Made>,
}

impl SentSignup {
    /// Finds what the browser with this CSRF token made before with this address. Each login and logout gives it another
    /// token, so a signup whose answer has arrived is not found.
    pub async fn find(app: &App, principal: &Principal, csrf_token: &str, email: &str) -> Result<Self, Error> {
        let request = RepeatableRequest::of_signup(csrf_token, &mail_domain::key(email));
        let mut conn = app.store.read(principal, Operation::SignUp).await?;
        let before = request.noted(app, &mut conn).await?.and_then(|bytes| Made::of_bytes(&bytes));
        Ok(Self { request, before })
    }

    /// The same after a refusal, which may come from what another request has just written: on SQLite, transactions are
    /// committed in groups, and see each other before a reader sees them. Waits for that commit.
    pub async fn find_meanwhile(
        app: &App,
        principal: &Principal,
        csrf_token: &str,
        email: &str,
    ) -> Result<Self, Error> {
        app.store.begin(principal, Operation::SignUp).await?.commit().await?;
        Self::find(app, principal, csrf_token, email).await
    }

    /// Whether the browser has not sent it before.
    pub fn is_first(&self) -> bool {
        self.before.is_none()
    }

    /// The account that it made, for which the password still has to be shown.
    pub fn account(&self) -> Option<UserId> {
        match self.before {
            Some(Made::Account(user)) => Some(user),
            _ => None,
        }
    }

    /// The signup that it made and that still waits, if this one says the same.
    pub async fn pending(
        &self,
        app: &App,
        principal: &Principal,
        (username, password): (&str, SecretString),
        requester: Requester,
    ) -> Result<Option<AccountTokenId>, Error> {
        let Some(Made::Pending(id)) = self.before else { return Ok(None) };
        let row = app.store.read(principal, Operation::SignUp).await?.account_token_find(id).await?;
        let Some(row) = row.filter(|row| app.clock.now() < row.expires_at) else { return Ok(None) };
        let chosen = Username::parse(username).ok();
        let is_other = chosen.is_some_and(|chosen| row.username.as_deref() != Some(chosen.as_str()));
        let matches = app.passwords.verify(password, row.password_hash, requester).await?.is_match();
        Ok((matches && !is_other).then_some(id))
    }

    /// Notes what it makes now, in place of what it made before: that says something else. `false` if the same was sent
    /// meanwhile, and was first.
    pub(super) async fn note(&self, app: &App, tx: &mut Tx, made: Made) -> Result<bool, Error> {
        if self.request.note(app, tx, made.bytes()).await? {
            return Ok(true);
        }
        let noted = self.request.noted(app, tx).await?.and_then(|bytes| Made::of_bytes(&bytes));
        if noted != self.before {
            return Ok(false);
        }
        if let Some(Made::Pending(replaced)) = noted {
            tx.account_token_delete(replaced).await?;
        }
        self.request.forget(tx).await?;
        self.request.note(app, tx, made.bytes()).await
    }
}
