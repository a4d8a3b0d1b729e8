//! An account at a provider is connected with an account by its own user: never by an address alone.

use super::outcome::ReturnOutcome;
use super::pending::PendingProviderLogin;
use super::types::Question;
use crate::context::App;
use crate::domain::ownership::identities::{self, ConnectIdentityError, ProviderIdentity};
use crate::error::Error;
use crate::mail::Notice;
use crate::model::ids::{SessionId, UserId};
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::{Provider, ProviderMfa, ProviderName};
use crate::model::session_view::SessionView;
use crate::store::{StoreError, Tx};

/// Why a connection that was offered was not made.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// Another form was first, or the session has ended.
    #[error("the offer is void")]
    Void,
    /// The account does not have the address, or has not verified it.
    #[error("the account does not have the address")]
    OtherAccount,
    /// The session has not shown the second factor for which the provider's word would stand.
    #[error("the session has not shown a second factor")]
    FactorMissing,
    /// The account at the provider cannot be connected.
    #[error(transparent)]
    Refused(#[from] ConnectIdentityError),
}

impl<E: Into<Error>> From<E> for OfferError {
    fn from(error: E) -> Self {
        OfferError::Refused(ConnectIdentityError::Failed(error.into()))
    }
}

/// Connects in the session that a person has logged in to since the return, if its account has verified the address.
pub async fn accept_offer(
    app: &App,
    person: &Principal,
    (user, session): (UserId, SessionId),
    waiting: &PendingProviderLogin,
) -> Result<(), OfferError> {
    let Some(email) = waiting.verified.as_ref().filter(|_| waiting.question == Question::Connect) else {
        return Err(OfferError::Void);
    };
    let mut tx = app.store.begin(person, Operation::ChangeFactors).await?;
    let user = tx.user_lock_in(user, Some(session)).await?.ok_or(OfferError::Void)?;
    tx.require_own(user.id)?;
    if user.email_verified_at.is_none() || mail_domain::key(&user.email) != email.key() {
        return Err(OfferError::OtherAccount);
    }
    if lacks_factor_in(&mut tx, session, &waiting.identity.provider).await? {
        return Err(OfferError::FactorMissing);
    }
    if !waiting.finish(&mut tx).await? {
        return Err(OfferError::Void);
    }
    connect_and_notify(app, &mut tx, user.id, &waiting.identity).await?;
    Ok(tx.commit().await?)
}

/// Connects in the session that began it.
pub(super) async fn in_session(
    app: &App,
    person: &Principal,
    (user, session): (UserId, SessionId),
    identity: &ProviderIdentity,
) -> Result<Option<ReturnOutcome>, Error> {
    let mut tx = app.store.begin(person, Operation::ChangeFactors).await?;
    let Some(user) = tx.user_lock_in(user, Some(session)).await? else { return Ok(None) };
    tx.require_own(user.id)?;
    // It was shown at the beginning, so provider or account has changed since.
    if lacks_factor_in(&mut tx, session, &identity.provider).await? {
        return Ok(Some(ReturnOutcome::Changed));
    }
    match connect_and_notify(app, &mut tx, user.id, identity).await {
        Ok(()) => {
            tx.commit().await?;
            Ok(Some(ReturnOutcome::Connected))
        }
        Err(ConnectIdentityError::Taken) => Ok(Some(ReturnOutcome::IdentityTaken)),
        Err(ConnectIdentityError::TooMany) => Ok(Some(ReturnOutcome::TooManyIdentities)),
        Err(ConnectIdentityError::NoProvider) => Ok(Some(ReturnOutcome::Changed)),
        Err(ConnectIdentityError::Failed(error)) => Err(error),
    }
}

/// Whether an account at a provider must wait for the account's own second factor: where a login there counts as having
/// shown one, who only knows the password must not be able to choose who shows it.
pub fn lacks_factor(provider: &Provider, session: &SessionView) -> bool {
    provider.mfa == ProviderMfa::Trust && session.lacks_factor()
}

async fn lacks_factor_in(tx: &mut Tx, session: SessionId, provider: &ProviderName) -> Result<bool, StoreError> {
    let Some(provider) = tx.provider_find(provider).await? else { return Ok(false) };
    let session = tx.session_find(session).await?;
    Ok(session.is_none_or(|session| lacks_factor(&provider.provider, &session)))
}

async fn connect_and_notify(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    identity: &ProviderIdentity,
) -> Result<(), ConnectIdentityError> {
    if identities::connect(app, tx, user, identity).await?
        && let Some(user) = tx.user_find(user).await?
    {
        identities::notify(app, tx, &user, Notice::ProviderConnected, &identity.provider).await?;
    }
    Ok(())
}
