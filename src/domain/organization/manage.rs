//! Organizations: create, rename, switch to.

use super::name;
use super::record::record;
use super::refusal::{OrganizationError, Refusal};
use super::rules::{Principal, lock};
use crate::context::App;
use crate::domain::session::lifecycle::Subject;
use crate::error::Error;
use crate::model::audit::AuditKind;
use crate::model::event::{Event, OrganizationData};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::random;
use crate::settings::OrgMode;
use crate::store::{OrganizationRow, Tx};

impl From<&OrganizationRow> for OrganizationData {
    fn from(row: &OrganizationRow) -> Self {
        Self {
            organization_id: row.id,
            name: row.name.clone(),
            kind: row.kind,
            created_by_user_id: row.created_by_user_id,
        }
    }
}

/// Whether users may create team organizations.
pub fn may_create(app: &App) -> bool {
    app.settings.accounts.org_mode == OrgMode::Multi
}

/// Creates a team organization with its first owner. An operator or a backend may also do so in mode `single`, but not
/// in mode `personal` (`SVC_ORG_MODE`).
pub async fn create(
    app: &App,
    principal: Principal<'_>,
    owner: UserId,
    name: &str,
) -> Result<OrganizationRow, OrganizationError> {
    let (tx, organization) = begin(app, principal, owner, name).await?;
    tx.commit().await?;
    Ok(organization)
}

/// As [`create`], in a transaction that the caller commits.
pub async fn begin(
    app: &App,
    principal: Principal<'_>,
    owner: UserId,
    name: &str,
) -> Result<(Tx, OrganizationRow), OrganizationError> {
    let name = name::parse(name).map_err(OrganizationError::Field)?;
    let mut tx = app.store.begin().await?;
    let account = tx.user_lock(owner).await?.ok_or(OrganizationError::NotFound("user"))?;
    principal.require_changeable(&account)?;
    let permitted = match principal {
        Principal::Operator | Principal::Backend(_) => app.settings.accounts.org_mode != OrgMode::Personal,
        Principal::User(_) => may_create(app),
    };
    if !permitted {
        return Err(Refusal::NoTeams.into());
    }
    let organization = insert(app, &mut tx, owner, OrganizationKind::Team, name).await?;
    record(&mut tx, principal, AuditKind::OrganizationCreated, &organization, Some(owner), "").await?;
    Ok((tx, organization))
}

/// Inserts an organization and its first membership, with their events.
pub(in crate::domain) async fn insert(
    app: &App,
    tx: &mut Tx,
    owner: UserId,
    kind: OrganizationKind,
    name: String,
) -> Result<OrganizationRow, Error> {
    let organization = new_row(app, owner, kind, name)?;
    tx.organization_create(&organization).await?;
    tx.membership_create(organization.id, owner, MemberRole::Owner).await?;
    for event in creation_events(&organization, owner) {
        tx.outbox_push(&event).await?;
    }
    Ok(organization)
}

/// As [`insert`], for many owners, given with the names of their organizations.
pub(in crate::domain) async fn insert_all(
    app: &App,
    tx: &mut Tx,
    kind: OrganizationKind,
    owners: &[(UserId, String)],
) -> Result<(), Error> {
    let created = owners.iter().map(|(owner, name)| Ok((new_row(app, *owner, kind, name.clone())?, *owner)));
    let created: Vec<(OrganizationRow, UserId)> = created.collect::<Result<_, Error>>()?;
    tx.organizations_create_owned(&created).await?;
    let events: Vec<Event> =
        created.iter().flat_map(|(organization, owner)| creation_events(organization, *owner)).collect();
    Ok(tx.outbox_push_all(&events).await?)
}

fn new_row(app: &App, owner: UserId, kind: OrganizationKind, name: String) -> Result<OrganizationRow, Error> {
    let now = app.clock.now();
    let id = OrganizationId(random::uuid_v7(now)?);
    Ok(OrganizationRow { id, kind, name, created_by_user_id: Some(owner), created_at: now })
}

/// The events of a new organization.
fn creation_events(organization: &OrganizationRow, owner: UserId) -> [Event; 2] {
    let joined = Event::MembershipCreated {
        organization_id: organization.id,
        user_id: owner,
        role: MemberRole::Owner,
        is_initial_membership: true,
        invitation_id: None,
        metadata: Metadata::default(),
    };
    [Event::OrganizationCreated(organization.into()), joined]
}

/// Renames an organization. Returns `false` if it has that name already.
pub async fn rename(
    app: &App,
    principal: Principal<'_>,
    org: OrganizationId,
    name: &str,
) -> Result<bool, OrganizationError> {
    let (tx, renamed) = begin_rename(app, principal, org, name).await?;
    tx.commit().await?;
    Ok(renamed)
}

/// As [`rename`], in a transaction that the caller commits.
pub async fn begin_rename(
    app: &App,
    principal: Principal<'_>,
    org: OrganizationId,
    name: &str,
) -> Result<(Tx, bool), OrganizationError> {
    let name = name::parse(name).map_err(OrganizationError::Field)?;
    let mut tx = app.store.begin().await?;
    let mut organization = lock(&mut tx, org, principal, MemberRole::Admin).await?.organization;
    if organization.name == name {
        return Ok((tx, false));
    }
    tx.organization_set_name(org, &name).await?;
    record(&mut tx, principal, AuditKind::OrganizationRenamed, &organization, None, &name).await?;
    organization.name = name;
    tx.outbox_push(&Event::OrganizationUpdated((&organization).into())).await?;
    Ok((tx, true))
}

/// Makes an organization the active one of a member's session; returns the subject of the next access token.
pub async fn switch(
    app: &App,
    user: UserId,
    session: SessionId,
    org: OrganizationId,
) -> Result<Option<Subject>, OrganizationError> {
    let mut tx = app.store.begin().await?;
    // Against a concurrent end of the membership, which locks the user too.
    tx.user_lock(user).await?;
    if tx.member_role(org, user).await?.is_none() {
        return Err(OrganizationError::NotFound("organization"));
    }
    tx.session_set_organization(session, org).await?;
    let row = tx.session_find(session).await?.filter(|row| row.user_id == user && row.ended_at.is_none());
    tx.commit().await?;
    Ok(row.as_ref().map(Subject::from))
}
