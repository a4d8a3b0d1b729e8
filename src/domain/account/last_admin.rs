//! The service keeps an administrator: the last enabled one can be neither disabled, deleted nor demoted, by any door.

use crate::model::roles::PlatformRole;
use crate::store::{StoreError, Tx, UserRow};

/// Whether this account, which the transaction has locked, is the last enabled administrator. The transaction must have
/// begun with [`Tx::instance_lock`], so that two administrators who go at once see each other.
pub(in crate::domain) async fn is_last_admin(tx: &mut Tx, user: &UserRow) -> Result<bool, StoreError> {
    let is_admin = user.roles.contains(PlatformRole::Admin) && user.disabled_at.is_none();
    Ok(is_admin && !tx.user_other_admin_exists(user.id).await?)
}
