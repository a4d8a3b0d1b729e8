//! What a login that came back waits for: it is sealed in the login's row, and its form comes from the same browser.

use super::state::{self, hash_pairs};
use super::types::Question;
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::ownership::identities::ProviderIdentity;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use crate::store::{ProviderLoginRow, ProviderRow, Tx};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

const COLUMN: &str = "waiting";

#[derive(Clone)]
pub struct PendingProviderLogin {
    pub question: Question,
    pub identity: ProviderIdentity,
    /// The address that the person has, as the provider's word counts.
    pub verified: Option<EmailAddress>,
    /// Where to redirect afterwards; to be checked again.
    pub return_to: Option<String>,
    pub(in crate::domain) invitation: Option<String>,
    state_hash: Vec<u8>,
    sealed: Vec<u8>,
}

/// The plain text of what is sealed.
#[derive(Serialize, Deserialize)]
struct Stored {
    question: Question,
    provider: String,
    issuer: String,
    subject: String,
    email: Option<String>,
    name: Option<String>,
    second_factor: bool,
    /// In microseconds.
    authenticated_at: Option<i64>,
    is_verified: bool,
    invitation: Option<String>,
}

impl PendingProviderLogin {
    /// Lets a login that was claimed wait.
    pub(super) async fn keep(
        app: &App,
        principal: &Principal,
        state_hash: &[u8],
        question: Question,
        identity: &ProviderIdentity,
        is_verified: bool,
        invitation: Option<&str>,
    ) -> Result<(), Error> {
        let stored = Stored {
            question,
            provider: identity.provider.as_str().to_owned(),
            issuer: identity.issuer.clone(),
            subject: identity.subject.clone(),
            email: identity.email.clone(),
            name: identity.name.clone(),
            second_factor: identity.second_factor,
            authenticated_at: identity.authenticated_at.map(Time::as_micros),
            is_verified,
            invitation: invitation.map(str::to_owned),
        };
        let plain = serde_json::to_vec(&stored).map_err(Error::json)?;
        let sealed = state::seal(app, state_hash, COLUMN, &plain)?;
        let mut tx = app.store.begin(principal, Operation::LogIn).await?;
        tx.provider_login_wait(state_hash, &sealed, state::expires_at(app)).await?;
        Ok(tx.commit().await?)
    }

    /// Lets it wait for the answer to another question.
    pub(super) async fn ask_instead(&self, app: &App, principal: &Principal, question: Question) -> Result<(), Error> {
        let (identity, is_verified) = (&self.identity, self.verified.is_some());
        Self::keep(app, principal, &self.state_hash, question, identity, is_verified, self.invitation()).await
    }

    /// The login that waits in this browser under this state; `None` if there is none, or its provider was changed.
    pub async fn find(
        app: &App,
        principal: &Principal,
        provider: &ProviderRow,
        state: &str,
        browser: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        let Some(browser) = browser.filter(|_| LinkToken::has_form_of(state)) else { return Ok(None) };
        let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
        for (state_hash, browser_hash) in hash_pairs(app, state, browser) {
            let Some(row) = conn.provider_login_find(&state_hash).await? else { continue };
            let is_own = row.browser_hash == browser_hash && row.is_of(provider);
            let waits = row.claimed_at.is_some() && !state::is_over(app, &row);
            return Ok(if is_own && waits { Self::of_row(app, row) } else { None });
        }
        Ok(None)
    }

    /// What a row waits for, if it was sealed for that.
    pub(super) fn of_row(app: &App, row: ProviderLoginRow) -> Option<Self> {
        let sealed = row.answer?;
        let plain = state::open(app, &row.state_hash, COLUMN, &sealed)?;
        let stored: Stored = serde_json::from_slice(&plain).ok()?;
        let email = stored.email.as_deref().and_then(|email| EmailAddress::parse(email).ok());
        Some(Self {
            question: stored.question,
            verified: email.filter(|_| stored.is_verified),
            identity: ProviderIdentity {
                provider: ProviderName::parse(&stored.provider).ok()?,
                issuer: stored.issuer,
                subject: stored.subject,
                email: stored.email,
                name: stored.name,
                second_factor: stored.second_factor,
                authenticated_at: stored.authenticated_at.map(Time::from_micros),
            },
            return_to: row.return_to,
            invitation: stored.invitation,
            state_hash: row.state_hash,
            sealed,
        })
    }

    /// Ends the waiting in the transaction of the answer; `false` if another form has ended it.
    pub(super) async fn finish(&self, tx: &mut Tx) -> Result<bool, Error> {
        Ok(tx.provider_login_finish(&self.state_hash, &self.sealed).await?)
    }

    /// The token of the invitation with which the login began.
    pub fn invitation(&self) -> Option<&str> {
        self.invitation.as_deref()
    }

    /// What binds the forms of its pages to it.
    pub fn id(&self) -> Uuid {
        self.state_hash.first_chunk().map_or(Uuid::nil(), |bytes| Uuid::from_bytes(*bytes))
    }
}
