//! The organization that comes with an account (contract.md 2, `SVC_ORG_MODE`).

use crate::app::App;
use crate::domain::Error;
use crate::domain::events::{Event, Metadata, OrganizationData};
use crate::domain::ids::{OrganizationId, UserId};
use crate::domain::organizations::{MemberRole, OrganizationKind};
use crate::random;
use crate::settings::OrgMode;
use crate::store::{OrganizationRow, Tx};

/// Makes what direct sign-up creates, with its events, and gives the active organization of the first session.
pub(super) async fn create(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    username: &str,
) -> Result<(OrganizationId, MemberRole), Error> {
    let now = app.clock.now();
    let kind = match app.settings.accounts.org_mode {
        OrgMode::Personal | OrgMode::Multi => OrganizationKind::Personal,
        OrgMode::Single => OrganizationKind::Team,
    };
    let organization = OrganizationRow {
        id: OrganizationId(random::uuid_v7(now)?),
        kind,
        name: username.to_owned(),
        created_by_user_id: Some(user),
        created_at: now,
    };
    tx.organization_create(&organization).await?;
    tx.membership_create(organization.id, user, MemberRole::Owner).await?;
    tx.outbox_push(&Event::OrganizationCreated(OrganizationData {
        organization_id: organization.id,
        name: organization.name,
        kind,
        created_by_user_id: Some(user),
    }))
    .await?;
    tx.outbox_push(&Event::MembershipCreated {
        organization_id: organization.id,
        user_id: user,
        role: MemberRole::Owner,
        is_initial_membership: true,
        invitation_id: None,
        metadata: Metadata::new(),
    })
    .await?;
    Ok((organization.id, MemberRole::Owner))
}
