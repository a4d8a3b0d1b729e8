//! Who is told what an administrator did to the account of another.

use crate::context::App;
use crate::error::Error;
use crate::mail::{self, Deed};
use crate::model::roles::Roles;
use crate::store::{Tx, UserRow};

/// Administrators who are told of a deed; the oldest accounts, if there are more.
const MAX_TOLD: i64 = 50;

/// Tells of a deed by an administrator, in the transaction that does it: the person concerned, as far as no notice does
/// that whoever acts, and if the account has or gets a platform role, every administrator who is not disabled. Deeds of
/// operators, backends and the person are told by their own notices alone.
pub(in crate::domain) async fn tell(
    app: &App,
    tx: &mut Tx,
    account: &UserRow,
    roles: Roles,
    deed: Deed,
) -> Result<(), Error> {
    if !tx.principal().is_administrator() {
        return Ok(());
    }
    if let Some(notice) = deed.notice() {
        mail::notify(app, tx, account, notice).await?;
    }
    if account.roles.is_empty() && roles.is_empty() {
        return Ok(());
    }
    let administrators = tx.user_administrators(MAX_TOLD).await?;
    for administrator in administrators.iter().filter(|administrator| administrator.id != account.id) {
        mail::notify_administrator(app, tx, administrator, account, deed).await?;
    }
    Ok(())
}
