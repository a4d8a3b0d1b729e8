//! An account at a provider is connected with an account by its own user: never by an address alone.

use super::outcome::CallbackOutcome;
use super::pending::PendingProviderLogin;
use super::types::Question;
use crate::context::App;
use crate::domain::change::{self, Change};
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::ownership::identities::{self, ConnectIdentityError, ProviderIdentity};
use crate::error::Error;
use crate::mail::Notice;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::{Provider, ProviderMfa, ProviderName};
use crate::model::session_view::SessionView;
use crate::store::{StoreError, Tx};

/// Why a connection was not made.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The session has ended, or another form took the offer.
    #[error("the session or the offer has ended")]
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

impl<E: Into<Error>> From<E> for ConnectError {
    fn from(error: E) -> Self {
        ConnectError::Refused(ConnectIdentityError::Failed(error.into()))
    }
}

/// Connects an account at a provider with the principal's account.
pub struct Connect<'a> {
    identity: &'a ProviderIdentity,
    /// `None` in the session that began it.
    offer: Option<Offer<'a>>,
}

/// What a login at the provider offered, for the session that a person has logged in to since the return.
struct Offer<'a> {
    pending: &'a PendingProviderLogin,
    /// The account must have verified it.
    email: &'a EmailAddress,
}

impl<'a> Connect<'a> {
    /// Takes the offer that waits, if one does.
    pub fn offered(pending: &'a PendingProviderLogin) -> Option<Self> {
        let email = pending.verified.as_ref().filter(|_| pending.question == Question::Connect)?;
        Some(Self { identity: &pending.identity, offer: Some(Offer { pending, email }) })
    }
}

impl Change<ConnectError> for Connect<'_> {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ConnectError> {
        let Self { identity, offer } = self;
        let user = tx.user_lock_own().await?.ok_or(ConnectError::Void)?;
        let has_verified =
            |email: &EmailAddress| user.email_verified_at.is_some() && mail_domain::key(&user.email) == email.key();
        if offer.as_ref().is_some_and(|offer| !has_verified(offer.email)) {
            return Err(ConnectError::OtherAccount);
        }
        if lacks_factor_in(tx, &identity.provider).await? {
            return Err(ConnectError::FactorMissing);
        }
        if let Some(offer) = offer
            && !offer.pending.finish(tx).await?
        {
            return Err(ConnectError::Void);
        }
        if identities::connect(app, tx, user.id, identity).await? {
            identities::notify(app, tx, &user, Notice::ProviderConnected, &identity.provider).await?;
        }
        Ok(())
    }
}

/// Connects in the session that began it; `None` if that has ended.
pub(super) async fn in_session(
    app: &App,
    principal: &Principal,
    identity: &ProviderIdentity,
) -> Result<Option<CallbackOutcome>, Error> {
    Ok(Some(match change::run(app, principal, Connect { identity, offer: None }).await {
        Ok(()) => CallbackOutcome::Connected,
        Err(ConnectError::Void) => return Ok(None),
        // It was checked at the beginning, so provider or account has changed since.
        Err(
            ConnectError::FactorMissing
            | ConnectError::OtherAccount
            | ConnectError::Refused(ConnectIdentityError::NoProvider),
        ) => CallbackOutcome::Changed,
        Err(ConnectError::Refused(ConnectIdentityError::Taken)) => CallbackOutcome::IdentityTaken,
        Err(ConnectError::Refused(ConnectIdentityError::TooMany)) => CallbackOutcome::TooManyIdentities,
        Err(ConnectError::Refused(ConnectIdentityError::Failed(error))) => return Err(error),
    }))
}

/// Whether an account at a provider must wait for the account's own second factor: where a login there counts as having
/// shown one, who only knows the password must not be able to choose who shows it.
pub fn lacks_factor(provider: &Provider, session: &SessionView) -> bool {
    provider.mfa == ProviderMfa::Trust && session.lacks_factor()
}

async fn lacks_factor_in(tx: &mut Tx, provider: &ProviderName) -> Result<bool, StoreError> {
    let Some(provider) = tx.provider_find(provider).await? else { return Ok(false) };
    let session = match tx.principal().actor().session() {
        Some(session) => tx.session_find(session).await?,
        None => None,
    };
    Ok(session.is_none_or(|session| lacks_factor(&provider.provider, &session)))
}
