//! Signup by invitation: the address is the invitation's, and the first session is in the inviting organization.

use super::new_account::{Account, InsertError, Inserted, insert_user};
use crate::context::App;
use crate::domain::organization::first_organization;
use crate::domain::organization::respond;
use crate::settings::OrgMode;
use crate::store::{InvitationRow, Tx};

/// Inserts the account and its organizations, and accepts the invitation of `token`.
pub(super) async fn accept(
    app: &App,
    tx: &mut Tx,
    token: &str,
    account: &Account,
    attempt: u32,
) -> Result<Inserted, InsertError> {
    let invitation = respond::lock_pending(app, tx, token).await?;
    insert_invited(app, tx, account, &invitation, attempt, invitation.proves_address).await
}

/// Inserts the account and its organizations, and accepts an invitation, with the events in the order of
/// docs/reference/webhooks.md 12.
pub(super) async fn insert_invited(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    invitation: &InvitationRow,
    attempt: u32,
    verified: bool,
) -> Result<Inserted, InsertError> {
    let user = insert_user(app, tx, account, attempt, verified).await?;
    if app.settings.accounts.org_mode == OrgMode::Multi {
        first_organization::create(app, tx, user.id, &user.username).await?;
    }
    respond::join(app, tx, invitation, user.id).await?;
    Ok(Inserted { user, organization: (invitation.organization_id, invitation.role) })
}
