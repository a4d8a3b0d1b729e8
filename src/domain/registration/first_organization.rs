//! The organization that comes with an account (contract.md 2, `SVC_ORG_MODE`).

use crate::context::App;
use crate::domain::organization::manage;
use crate::error::Error;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::settings::OrgMode;
use crate::store::Tx;

/// Makes what direct sign-up creates, with its events, and gives the active organization of the first session.
pub(in crate::domain) async fn create(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    username: &str,
) -> Result<(OrganizationId, MemberRole), Error> {
    let organization = manage::insert(app, tx, user, kind(app), username.to_owned()).await?;
    Ok((organization.id, MemberRole::Owner))
}

/// As [`create`], for many users and their names.
pub(in crate::domain) async fn create_all(app: &App, tx: &mut Tx, users: &[(UserId, String)]) -> Result<(), Error> {
    manage::insert_all(app, tx, kind(app), users).await
}

const fn kind(app: &App) -> OrganizationKind {
    match app.settings.accounts.org_mode {
        OrgMode::Personal | OrgMode::Multi => OrganizationKind::Personal,
        OrgMode::Single => OrganizationKind::Team,
    }
}
