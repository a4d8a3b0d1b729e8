//! Accounts at providers as ways into accounts here: what a provider says of a person, and its connection with an account.

use crate::context::App;
use crate::domain::identity::visible_name::DisplayName;
use crate::error::Error;
use crate::mail::{self, Notice};
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::ids::{AccountTokenId, IdentityId, UserId};
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use crate::oidc::ProviderProfile;
use crate::random;
use crate::store::{IdentityRow, MAX_IDENTITIES, NewIdentity, PendingIdentityRow, StoreError, Tx, UserRow};

/// An account at a provider, whose holder has just logged in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderIdentity {
    pub provider: ProviderName,
    pub issuer: String,
    /// What the issuer calls the person.
    pub subject: String,
    /// The address that was stated, whatever that is worth.
    pub email: Option<String>,
    /// What the person is called there; whether that may be a display name is not decided.
    pub name: Option<String>,
    /// Whether a second factor was shown there that counts.
    pub second_factor: bool,
    /// When the person authenticated there, if that is known.
    pub authenticated_at: Option<Time>,
}

impl ProviderIdentity {
    pub fn new(provider: ProviderName, profile: ProviderProfile) -> Self {
        let ProviderProfile { issuer, subject, email, name, second_factor, authenticated_at } = profile;
        let email = email.map(|stated| stated.address);
        Self { provider, issuer, subject, email, name, second_factor, authenticated_at }
    }

    pub fn authentication(&self) -> Authentication {
        Authentication::by_provider(self.provider.clone(), self.second_factor, self.authenticated_at)
    }

    /// The same, to wait with a signup for the verification of its address.
    pub(in crate::domain) fn pending(&self, token_id: AccountTokenId) -> PendingIdentityRow {
        PendingIdentityRow {
            token_id,
            issuer: self.issuer.clone(),
            subject: self.subject.clone(),
            provider: self.provider.clone(),
            name: self.name.clone(),
            second_factor: self.second_factor,
            authenticated_at: self.authenticated_at,
        }
    }

    /// What waited with a signup for the verification of this address.
    pub(in crate::domain) fn of_pending(row: PendingIdentityRow, email: &str) -> Self {
        let PendingIdentityRow { issuer, subject, provider, name, second_factor, authenticated_at, .. } = row;
        Self { provider, issuer, subject, email: Some(email.to_owned()), name, second_factor, authenticated_at }
    }
}

/// Why an account at a provider was not connected.
#[derive(Debug, thiserror::Error)]
pub enum ConnectIdentityError {
    #[error("another account has this account at the provider")]
    Taken,
    #[error("the provider was removed")]
    NoProvider,
    #[error("an account can have {MAX_IDENTITIES} accounts at providers at most")]
    TooMany,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ConnectIdentityError {
    fn from(error: StoreError) -> Self {
        ConnectIdentityError::Failed(error.into())
    }
}

/// Connects an account at a provider with an account that this transaction has locked or made, as one more way in.
/// Returns `false` if it was connected before.
pub(in crate::domain) async fn connect(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    identity: &ProviderIdentity,
) -> Result<bool, ConnectIdentityError> {
    let ProviderIdentity { issuer, subject, provider, .. } = identity;
    if let Some(known) = tx.identity_find(issuer, subject).await? {
        return if known.user_id == user { Ok(false) } else { Err(ConnectIdentityError::Taken) };
    }
    if tx.provider_hold(provider).await?.is_none() {
        return Err(ConnectIdentityError::NoProvider);
    }
    if tx.identities_count(user).await? >= MAX_IDENTITIES {
        return Err(ConnectIdentityError::TooMany);
    }
    let id = IdentityId(random::uuid_v7_with_micros(app.clock.now()).map_err(Error::from)?);
    let new = NewIdentity { id, user_id: user, issuer, subject, provider, email: identity.email.as_deref() };
    if !tx.identity_create(&new).await? {
        return Err(ConnectIdentityError::Taken);
    }
    tx.record_account(user, AccountChange::IdentityConnected { provider, issuer }).await?;
    Ok(true)
}

/// Tells the user of an account what happened to the account at a provider.
pub(in crate::domain) async fn notify(
    app: &App,
    tx: &mut Tx,
    account: &UserRow,
    notice: Notice,
    provider: &ProviderName,
) -> Result<(), Error> {
    let known = tx.provider_find(provider).await?;
    let label = known.map_or_else(|| provider.to_string(), |row| row.provider.label);
    mail::notify_of(app, tx, account, notice, Some(&label)).await
}

/// Disconnects an account at a provider from an account that this transaction has locked, and tells its user.
pub(in crate::domain) async fn disconnect(
    app: &App,
    tx: &mut Tx,
    account: &UserRow,
    identity: &IdentityRow,
) -> Result<(), Error> {
    tx.identity_delete(account.id, identity.id).await?;
    // Whichever of them began with it.
    tx.pending_logins_delete_of_user(account.id).await?;
    let (provider, issuer) = (&identity.provider, identity.issuer.as_str());
    tx.record_account(account.id, AccountChange::IdentityRemoved { provider, issuer }).await?;
    notify(app, tx, account, Notice::ProviderDisconnected, provider).await
}

/// Calls the user of an account that this transaction has made as the provider does, if that may be a display name.
pub(in crate::domain) async fn adopt_name(
    tx: &mut Tx,
    user: UserId,
    identity: &ProviderIdentity,
) -> Result<(), StoreError> {
    let name = identity.name.as_deref().and_then(|name| DisplayName::parse(name).ok());
    match name {
        Some(name) => tx.user_set_name(user, Some(name.as_str())).await,
        None => Ok(()),
    }
}
