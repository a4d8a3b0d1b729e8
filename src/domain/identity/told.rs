//! Who is told what an administrator did to the account of another.

use crate::context::App;
use crate::error::Error;
use crate::mail::{self, Deed, Notice};
use crate::model::roles::Roles;
use crate::store::{Tx, UserRow};

/// Administrators who are told of a deed; the oldest accounts, if there are more.
const MAX_TOLD: i64 = 50;

/// Mails what an administrator did, in the transaction that does it: to the person concerned, unless their notice of it is
/// sent for every caller, and if the account has or gets a platform role, to every administrator who is not disabled. Of
/// what operators, backends and the person do there are only the notices for every caller.
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
    if let Some(notice) = notice(deed) {
        let now = roles.to_text();
        let thing = Some(now.as_str()).filter(|_| notice == Notice::RoleChanged);
        mail::notify_of(app, tx, account, notice, thing).await?;
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

/// The notice of the person concerned, where no use case has one for every caller.
const fn notice(deed: Deed) -> Option<Notice> {
    match deed {
        Deed::Disabled => Some(Notice::AccountDisabled),
        Deed::Enabled => Some(Notice::AccountEnabled),
        Deed::RoleChanged => Some(Notice::RoleChanged),
        Deed::SessionsEnded => Some(Notice::SessionsEnded),
        Deed::EmailChanged | Deed::Renamed | Deed::FactorsReset | Deed::IdentityRemoved | Deed::Deleted => None,
    }
}
