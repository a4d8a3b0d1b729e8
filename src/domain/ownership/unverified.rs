//! An account that holds an email address without ever having verified it, when the owner of the address comes. Only
//! they know whose account it is, so a page asks, and nothing is deleted
//! (docs/concepts/decisions/0007-whose-account-holds-an-address.md).

use crate::domain::identity::identifiers::EmailAddress;
use crate::error::Error;
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::placeholder_email::placeholder_of;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use crate::store::{Conn, StoreError, Tx, UserRow};

/// The organizations that the question names: enough to recognize the account, and never a long page.
const MAX_ORGANIZATIONS: i64 = 5;

/// What is wrong with a form that leaves the question without an answer.
pub static NOT_ANSWERED: Message = Message::new("whose-account-not-answered");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhoseAccount {
    /// It is mine: it is kept, without anything that lets its creator in.
    Mine,
    /// It is someone else's: it keeps everything but the address, which a new account gets.
    NotMine,
}

/// The answer for one account: it does not count for another that holds the address since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HolderAnswer {
    pub account: UserId,
    pub whose: WhoseAccount,
}

impl HolderAnswer {
    pub(in crate::domain) fn about(self, account: UserId) -> Option<WhoseAccount> {
        (self.account == account).then_some(self.whose)
    }
}

/// What the question says about the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnverifiedHolder {
    pub id: UserId,
    pub username: String,
    pub created_at: Time,
    /// The names of its oldest teams, at most five.
    pub organizations: Vec<String>,
}

/// Whether to ask whose an account is: if its address is unverified and it has a password, a passkey or an account at a
/// provider. Without these, a backend or an operator created it and it was never logged in to, so that it cannot be
/// another person's.
pub(in crate::domain) async fn is_to_be_asked_about(conn: &mut Conn, user: &UserRow) -> Result<bool, StoreError> {
    if user.email_verified_at.is_some() {
        return Ok(false);
    }
    Ok(user.password_hash.is_some()
        || !conn.passkeys_of_user(user.id).await?.is_empty()
        || conn.identities_count(user.id).await? > 0)
}

pub(in crate::domain) async fn describe(conn: &mut Conn, user: &UserRow) -> Result<UnverifiedHolder, StoreError> {
    Ok(UnverifiedHolder {
        id: user.id,
        username: user.username.clone(),
        created_at: user.created_at,
        organizations: conn.team_names_of_user(user.id, MAX_ORGANIZATIONS).await?,
    })
}

/// Locks the account with this folded address; `None` if there is none.
pub(in crate::domain) async fn lock_email_owner(tx: &mut Tx, email_key: &str) -> Result<Option<UserRow>, StoreError> {
    let Some(found) = tx.user_find_by_email(email_key).await? else { return Ok(None) };
    Ok(tx.user_lock(found.id).await?.filter(|user| EmailAddress::from_stored(&user.email).key() == email_key))
}

/// Takes the address from a locked account that never verified it, in the transaction that gives the address to another
/// one. Everything else of the account stays.
pub(in crate::domain) async fn release_address(tx: &mut Tx, user: UserId) -> Result<(), Error> {
    tx.user_set_email_unverified(user, &placeholder_of(user)).await?;
    // Links and codes for the old address; a change to another address may still be completed.
    for kind in [AccountTokenKind::Verification, AccountTokenKind::PasswordReset] {
        tx.account_tokens_delete_of_user(user, kind).await?;
    }
    // The account may be an attacker's: the entry does not show the device of the person who owns the address.
    Ok(tx.record_account(user, AccountChange::EmailReleased).await?)
}
