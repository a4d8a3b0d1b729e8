//! An account at a provider is connected with an account by its own user: never by an address alone.

use super::outcome::ReturnOutcome;
use super::waiting::{Question, WaitingLogin};
use crate::context::App;
use crate::domain::ownership::identities::{self, ConnectIdentityError, ForeignIdentity};
use crate::error::Error;
use crate::mail::Notice;
use crate::model::ids::{SessionId, UserId};
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::store::Tx;

/// Why a connection that was offered was not made.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// Another form was first, or the session has ended.
    #[error("the offer is void")]
    Void,
    /// The account does not have the address, or has not verified it.
    #[error("the account does not have the address")]
    OtherAccount,
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
    waiting: &WaitingLogin,
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
    identity: &ForeignIdentity,
) -> Result<Option<ReturnOutcome>, Error> {
    let mut tx = app.store.begin(person, Operation::ChangeFactors).await?;
    let Some(user) = tx.user_lock_in(user, Some(session)).await? else { return Ok(None) };
    tx.require_own(user.id)?;
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

async fn connect_and_notify(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    identity: &ForeignIdentity,
) -> Result<(), ConnectIdentityError> {
    if identities::connect(app, tx, user, identity).await?
        && let Some(user) = tx.user_find(user).await?
    {
        identities::notify(app, tx, &user, Notice::ProviderConnected, &identity.provider).await?;
    }
    Ok(())
}
