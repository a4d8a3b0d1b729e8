//! Notices of what an administrator did to the account of another.

use crate::context::App;
use crate::error::Error;
use crate::mail::{self, AdminNotice, Notice};
use crate::model::roles::Roles;
use crate::store::{Tx, UserRow};

/// Administrators who get a notice; the oldest accounts, if there are more.
const MAX_NOTIFIED: i64 = 50;

/// Mails what an administrator did, in the transaction that does it: to the person concerned, unless their notice of it is
/// sent for every caller, and if the account has or gets a platform role, to every administrator who is not disabled. Of
/// what operators, backends and the person do there are only the notices for every caller.
pub(in crate::domain) async fn notify_admins(
    app: &App,
    tx: &mut Tx,
    account: &UserRow,
    roles: Roles,
    admin_notice: AdminNotice,
) -> Result<(), Error> {
    if !tx.principal().is_administrator() {
        return Ok(());
    }
    if let Some(notice) = notice(admin_notice) {
        let now = roles.to_text();
        let thing = Some(now.as_str()).filter(|_| notice == Notice::RoleChanged);
        mail::notify_of(app, tx, account, notice, thing).await?;
    }
    if account.roles.is_empty() && roles.is_empty() {
        return Ok(());
    }
    let administrators = tx.user_administrators(MAX_NOTIFIED).await?;
    for administrator in administrators.iter().filter(|administrator| administrator.id != account.id) {
        mail::notify_administrator(app, tx, administrator, account, admin_notice).await?;
    }
    Ok(())
}

/// The notice of the person concerned, where no use case has one for every caller.
const fn notice(admin_notice: AdminNotice) -> Option<Notice> {
    match admin_notice {
        AdminNotice::Disabled => Some(Notice::AccountDisabled),
        AdminNotice::Enabled => Some(Notice::AccountEnabled),
        AdminNotice::RoleChanged => Some(Notice::RoleChanged),
        AdminNotice::SessionsEnded => Some(Notice::SessionsEnded),
        AdminNotice::EmailChanged
        | AdminNotice::Renamed
        | AdminNotice::FactorsReset
        | AdminNotice::IdentityRemoved
        | AdminNotice::Deleted => None,
    }
}
