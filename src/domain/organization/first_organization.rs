//! The organization that is created with an account (docs/reference/browser.md 11, `SVC_ORG_MODE`).

use crate::context::App;
use crate::domain::organization::{manage, name};
use crate::error::Error;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::settings::OrgMode;
use crate::store::Tx;

/// Creates the first organization of an account with its events. Returns it as the active organization of a session.
pub(in crate::domain) async fn create(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    username: &str,
) -> Result<(OrganizationId, MemberRole), Error> {
    let organization = manage::insert_first(app, tx, user, kind(app), name::of_username(username)).await?;
    Ok((organization.id, MemberRole::Owner))
}

/// As [`create`], for many users, given with their usernames.
pub(in crate::domain) async fn create_all(app: &App, tx: &mut Tx, users: &[(UserId, String)]) -> Result<(), Error> {
    let named: Vec<_> = users.iter().map(|(user, username)| (*user, name::of_username(username))).collect();
    manage::insert_all(app, tx, kind(app), &named).await
}

const fn kind(app: &App) -> OrganizationKind {
    match app.settings.accounts.org_mode {
        OrgMode::Personal | OrgMode::Multi => OrganizationKind::Personal,
        OrgMode::Single => OrganizationKind::Team,
    }
}
