//! An account that never verified its address is kept by the person who has shown that they have the address: with their
//! credential as its only one (docs/concepts/decisions/0007-whose-account-holds-an-address.md).

use super::new_account::{InsertError, SignupError};
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete;
use crate::domain::organization::respond;
use crate::domain::ownership::credentials;
use crate::domain::ownership::identities::{self, ProviderIdentity};
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::principal::{Operation, Principal};
use crate::store::{InvitationRow, Tx, UserRow};

/// What the person begins with who says that an account is theirs.
pub(in crate::domain) struct Claimant<'a> {
    /// The address that they have, as it was mailed or stated.
    pub(in crate::domain) email: &'a EmailAddress,
    /// The hash of the password of their signup.
    pub(in crate::domain) password_hash: Option<&'a str>,
    pub(in crate::domain) identity: Option<&'a ProviderIdentity>,
    pub(in crate::domain) language: Option<Locale>,
    pub(in crate::domain) authentication: Authentication,
}

/// Ends every earlier way into an account that this transaction has locked, gives it the claimant's, and opens a session.
pub(in crate::domain) async fn keep(
    app: &App,
    tx: &mut Tx,
    holder: &UserRow,
    claimant: &Claimant<'_>,
    invitation: Option<InvitationRow>,
    client: &complete::ClientContext,
) -> Result<OpenedSession, InsertError> {
    let secret_holder = Principal::secret_holder(holder.id, client.device.clone());
    tx.continue_as(&secret_holder, Operation::VerifyAddress)?;
    tx.require_own(holder.id)?;
    credentials::claim_unverified_account(app, tx, holder).await?;
    if let Some(hash) = claimant.password_hash {
        tx.user_set_password_hash(holder.id, None, hash).await?;
    }
    if let Some(identity) = claimant.identity {
        identities::connect(app, tx, holder.id, identity).await.map_err(SignupError::from)?;
    }
    if let Some(language) = claimant.language {
        tx.user_set_language(holder.id, language).await?;
    }
    if holder.email != claimant.email.as_str() {
        // What was verified is the claimant's spelling of the address: another one could be another mailbox.
        tx.user_set_email(holder.id, claimant.email.as_str(), &claimant.email.key()).await?;
        tx.record_account(holder.id, AccountChange::EmailRespelled).await?;
    }
    let organization = match invitation {
        Some(invitation) => {
            respond::join(app, tx, &invitation, holder.id).await?;
            let role = tx.member_role(invitation.organization_id, holder.id).await?;
            role.map(|role| (invitation.organization_id, role))
        }
        None => tx.membership_default(holder.id).await?.map(|membership| (membership.organization_id, membership.role)),
    };
    let Some(organization) = organization else {
        return Err(Error::Inconsistent(format!("user {} is in no organization", holder.id)).into());
    };
    let opened = complete::open(app, tx, holder, organization, &claimant.authentication, client).await?;
    tx.record_account(holder.id, AccountChange::EmailVerified).await?;
    if claimant.password_hash.is_some() {
        tx.record_account(holder.id, AccountChange::PasswordChanged).await?;
    }
    tx.record_account(holder.id, AccountChange::LoggedIn(claimant.authentication.methods)).await?;
    Ok(opened)
}
