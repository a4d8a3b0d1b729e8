//! Every way to log in, removed where somebody else may hold it.

use crate::clock::Time;
use crate::domain::ids::UserId;
use crate::domain::mailed::Kind;
use crate::domain::sessions::EndReason;
use crate::store::{StoreError, Tx, UserRow};

/// Which ways to log in go.
#[derive(Clone, Copy, Debug)]
pub enum Since {
    /// All.
    Ever,
    /// Those that were made at this moment or later; a password always.
    At(Time),
}

/// Removes ways to log in: each kind of credential has its line here.
pub(in crate::domain) async fn remove_credentials(tx: &mut Tx, user: UserId, _since: Since) -> Result<(), StoreError> {
    tx.user_clear_password(user).await
}

/// Gives an account whose address was never proved to the one who now did: whoever made it keeps no way into it. The
/// address counts as proved from here on.
pub(in crate::domain) async fn take_over(tx: &mut Tx, user: &UserRow) -> Result<(), StoreError> {
    remove_credentials(tx, user.id, Since::Ever).await?;
    tx.sessions_end_of_user(user.id, EndReason::AddressProved.as_str()).await?;
    for kind in [Kind::EmailChange, Kind::PasswordReset, Kind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    tx.user_set_email_verified(user.id).await
}
