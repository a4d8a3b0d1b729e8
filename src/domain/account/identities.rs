//! Operators and backends connect and remove accounts at providers of a user's account.

use crate::context::App;
use crate::domain::change::{Change, lock_account};
use crate::domain::identity::notify_admins::notify_admins;
use crate::domain::ownership::identities::{self, ConnectIdentityError, ProviderIdentity};
use crate::mail::AdminNotice;
use crate::model::ids::{IdentityId, UserId};
use crate::model::principal::Operation;
use crate::oidc::{states_issuer, states_subject};
use crate::refusal::{ChangeError, Refusal, Rule, in_english};
use crate::store::{IdentityRow, MAX_IDENTITIES, Tx};

/// An account at a provider that a backend vouches for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VouchedIdentity {
    pub issuer: String,
    pub subject: String,
}

/// The accounts at providers of these issuers. An issuer without a provider is refused: a typing error would otherwise
/// stay unseen until the person cannot log in, and a stored identity has the name of a provider.
pub(super) async fn known(app: &App, vouched: &[VouchedIdentity]) -> Result<Vec<ProviderIdentity>, ChangeError> {
    if vouched.is_empty() {
        return Ok(Vec::new());
    }
    let providers = app.store.providers().await?;
    let known = |(index, vouched): (usize, &VouchedIdentity)| {
        let VouchedIdentity { issuer, subject } = vouched;
        let provider = providers.iter().map(|row| &row.provider).find(|provider| states_issuer(provider, issuer));
        let provider = provider.ok_or_else(|| no_provider(index))?;
        if !states_subject(provider, subject) {
            let why = in_english("A subject of this provider has another form.");
            return Err(Refusal::field(format!("identities.{index}.subject"), why).into());
        }
        Ok(ProviderIdentity {
            provider: provider.name.clone(),
            issuer: issuer.clone(),
            subject: subject.clone(),
            email: None,
            name: None,
            second_factor: false,
            authenticated_at: None,
        })
    };
    vouched.iter().enumerate().map(known).collect()
}

fn no_provider(index: usize) -> Refusal {
    Refusal::field(format!("identities.{index}.issuer"), in_english("No provider has this issuer."))
}

/// Connects them with an account that this transaction has made.
pub(super) async fn connect(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    known: &[ProviderIdentity],
) -> Result<(), ChangeError> {
    for (index, identity) in known.iter().enumerate() {
        identities::connect(app, tx, user, identity).await.map_err(|error| match error {
            ConnectIdentityError::Taken => {
                Refusal::in_english(Rule::IdentityTaken, "An account has this account at a provider.").into()
            }
            ConnectIdentityError::NoProvider => no_provider(index).into(),
            ConnectIdentityError::TooMany => {
                let why = in_english(format!("A user has {MAX_IDENTITIES} identities at most."));
                ChangeError::from(Refusal::field("identities", why))
            }
            ConnectIdentityError::Failed(error) => error.into(),
        })?;
    }
    Ok(())
}

/// Removes an account at a provider, also the last way in: an operator can give another. Made is what it was.
pub struct RemoveIdentity {
    pub user: UserId,
    pub id: IdentityId,
}

impl Change for RemoveIdentity {
    const OPERATION: Operation = Operation::SetIdentities;
    type Made = IdentityRow;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<IdentityRow, ChangeError> {
        let account = lock_account(tx, self.user).await?;
        let found = tx.identities_of_user(self.user).await?.into_iter().find(|row| row.id == self.id);
        let identity = found.ok_or(Refusal::NotFound("identity"))?;
        identities::disconnect(app, tx, &account, &identity).await?;
        notify_admins(app, tx, &account, account.roles, AdminNotice::IdentityRemoved).await?;
        Ok(identity)
    }
}
