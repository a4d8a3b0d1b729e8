//! A signup whose person has shown that they have its address, by a mailed link or code or by a provider's word. It
//! creates an account, or settles whose the account is that holds the address without having verified it
//! (docs/concepts/decisions/0007-whose-account-holds-an-address.md).

use super::invited;
use super::new_account::{self, Account, InsertError, Inserted, SignupError};
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::{self, ClientContext};
use crate::domain::organization::respond;
use crate::domain::ownership::credentials;
use crate::domain::ownership::identities::{self, ProviderIdentity};
use crate::domain::ownership::unverified::{self, WhoseAccount};
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::metrics::SignupResult;
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::store::{InvitationRow, StoreError, Tx, UserRow};

pub(in crate::domain) struct VerifiedSignup<'a> {
    /// An account that is kept gets its address, password and language only.
    pub(in crate::domain) account: &'a Account,
    pub(in crate::domain) identity: Option<&'a ProviderIdentity>,
    pub(in crate::domain) authentication: Authentication,
    pub(in crate::domain) invitation: LockedInvitation,
}

/// The invitation of a signup, as its transaction has locked it.
pub(in crate::domain) enum LockedInvitation {
    None,
    Pending(Box<InvitationRow>),
    /// An account that is there is kept without it, but none is created.
    Over,
}

impl From<Option<InvitationRow>> for LockedInvitation {
    fn from(pending: Option<InvitationRow>) -> Self {
        pending.map_or(LockedInvitation::Over, |row| LockedInvitation::Pending(Box::new(row)))
    }
}

impl LockedInvitation {
    /// As over if it is for another address.
    pub(in crate::domain) fn only_of(self, email: &EmailAddress) -> Self {
        match self {
            LockedInvitation::Pending(row) if row.email_key != email.key() => LockedInvitation::Over,
            other => other,
        }
    }
}

impl VerifiedSignup<'_> {
    /// Creates the account, its first organization and its first session.
    pub(in crate::domain) async fn create(
        &self,
        app: &App,
        tx: &mut Tx,
        attempt: u32,
        client: &ClientContext,
    ) -> Result<(UserId, OpenedSession), InsertError> {
        let Inserted { user, organization } = match &self.invitation {
            LockedInvitation::Pending(row) => {
                invited::insert_invited(app, tx, self.account, row, attempt, true).await?
            }
            LockedInvitation::None => new_account::insert_direct(app, tx, self.account, attempt, true).await?,
            LockedInvitation::Over => return Err(SignupError::InvitationVoid.into()),
        };
        if let Some(identity) = self.identity {
            identities::connect(app, tx, user.id, identity).await.map_err(SignupError::from)?;
            identities::adopt_name(tx, user.id, identity).await?;
        }
        let opened = complete::open(app, tx, &user, organization, &self.authentication, client).await?;
        tx.record_account(user.id, AccountChange::EmailVerified).await?;
        Ok((user.id, opened))
    }

    /// Does with the account that holds the address, and that the transaction has locked, what its person says of it.
    pub(in crate::domain) async fn settle(
        &self,
        app: &App,
        tx: &mut Tx,
        holder: &UserRow,
        whose: WhoseAccount,
        attempt: u32,
        client: &ClientContext,
    ) -> Result<(UserId, OpenedSession), InsertError> {
        tx.continue_as(&Principal::secret_holder(holder.id, client.device.clone()), Operation::VerifyAddress)?;
        tx.require_own(holder.id)?;
        match whose {
            WhoseAccount::Mine => Ok((holder.id, self.keep(app, tx, holder, client).await?)),
            WhoseAccount::NotMine => {
                unverified::release_address(tx, holder.id).await?;
                tx.continue_as(&client.anonymous(), Operation::SignUp)?;
                self.create(app, tx, attempt, client).await
            }
        }
    }

    /// Ends every earlier way into the account, gives it that of the signup, and opens a session.
    async fn keep(
        &self,
        app: &App,
        tx: &mut Tx,
        holder: &UserRow,
        client: &ClientContext,
    ) -> Result<OpenedSession, SignupError> {
        let Account { email, password_hash, language, .. } = self.account;
        credentials::claim_unverified_account(app, tx, holder).await?;
        if let Some(hash) = password_hash {
            tx.user_set_password_hash(holder.id, None, hash).await?;
        }
        if let Some(identity) = self.identity {
            identities::connect(app, tx, holder.id, identity).await?;
        }
        if let Some(language) = *language {
            tx.user_set_language(holder.id, language).await?;
        }
        if holder.email != email.as_str() {
            // What was verified is this spelling of the address: another one could be another mailbox.
            tx.user_set_email(holder.id, email.as_str(), &email.key()).await?;
            tx.record_account(holder.id, AccountChange::EmailRespelled).await?;
        }
        let organization = if let LockedInvitation::Pending(invitation) = &self.invitation {
            respond::join(app, tx, invitation, holder.id).await?;
            let role = tx.member_role(invitation.organization_id, holder.id).await?;
            role.map(|role| (invitation.organization_id, role))
        } else {
            let membership = tx.membership_default(holder.id).await?;
            membership.map(|membership| (membership.organization_id, membership.role))
        };
        let Some(organization) = organization else {
            return Err(Error::Inconsistent(format!("user {} is in no organization", holder.id)).into());
        };
        let opened = complete::open(app, tx, holder, organization, &self.authentication, client).await?;
        tx.record_account(holder.id, AccountChange::EmailVerified).await?;
        if password_hash.is_some() {
            tx.record_account(holder.id, AccountChange::PasswordChanged).await?;
        }
        tx.record_account(holder.id, AccountChange::LoggedIn(self.authentication.methods)).await?;
        Ok(opened)
    }
}

/// Ends the transaction of a completed signup, with which all others for its address are over.
pub(in crate::domain) async fn commit(app: &App, mut tx: Tx, email_key: &str) -> Result<(), StoreError> {
    tx.account_tokens_delete_signups(email_key).await?;
    tx.commit().await?;
    app.metrics.auth.signups.count(SignupResult::Created);
    Ok(())
}
