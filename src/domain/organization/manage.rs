//! Organizations: create, rename, switch to.

use super::name;
use super::refusals::NO_TEAMS;
use super::rules::lock;
use crate::context::App;
use crate::domain::change::Change;
use crate::domain::session::lifecycle::Subject;
use crate::error::Error;
use crate::model::change::{self, OrganizationChange};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::principal::Operation;
use crate::random;
use crate::refusal::{ChangeError, Refusal};
use crate::settings::OrgMode;
use crate::store::{OrganizationRow, Tx};

pub fn may_create(app: &App) -> bool {
    app.settings.accounts.org_mode == OrgMode::Multi
}

/// Creates a team organization with its first owner. An operator or a backend may also do so in mode `single`, but not
/// in mode `personal` (`SVC_ORG_MODE`). Who creates one in a session works in it from then on.
pub struct CreateTeam<'a> {
    pub owner: UserId,
    pub name: &'a str,
}

impl Change for CreateTeam<'_> {
    const OPERATION: Operation = Operation::CreateOrganization;
    type Made = OrganizationRow;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<OrganizationRow, ChangeError> {
        let (owner, principal) = (self.owner, tx.principal());
        let name = parsed(self.name)?;
        let session = principal.actor().session();
        let account = tx.user_lock_in(owner, session).await?.ok_or(Refusal::NotFound("user"))?;
        tx.require_changeable(&account)?;
        let permitted =
            if principal.is_user() { may_create(app) } else { app.settings.accounts.org_mode != OrgMode::Personal };
        if !permitted {
            return Err(NO_TEAMS.into());
        }
        let organization = new_row(app, owner, OrganizationKind::Team, name)?;
        insert(tx, owner, &organization).await?;
        if let Some(session) = session {
            tx.session_set_organization(session, organization.id).await?;
        }
        tx.record_organization(OrganizationChange::Created { organization: (&organization).into(), owner }).await?;
        Ok(organization)
    }
}

fn parsed(name: &str) -> Result<String, Refusal> {
    name::parse(name).map_err(|why| Refusal::field("name", why))
}

/// Inserts the organization that an account begins with, and its first membership, with their events.
pub(in crate::domain) async fn insert_first(
    app: &App,
    tx: &mut Tx,
    owner: UserId,
    kind: OrganizationKind,
    name: String,
) -> Result<OrganizationRow, Error> {
    let organization = new_row(app, owner, kind, name)?;
    insert_begun_with(tx, owner, &organization).await?;
    Ok(organization)
}

/// As [`insert_first`], of an organization that has an id.
pub(in crate::domain) async fn insert_begun_with(
    tx: &mut Tx,
    owner: UserId,
    organization: &OrganizationRow,
) -> Result<(), Error> {
    insert(tx, owner, organization).await?;
    let organization = organization.into();
    Ok(tx.record_organization(OrganizationChange::BegunWith { organization, owner }).await?)
}

async fn insert(tx: &mut Tx, owner: UserId, organization: &OrganizationRow) -> Result<(), Error> {
    tx.organization_create(organization).await?;
    Ok(tx.membership_create(organization.id, owner, MemberRole::Owner).await?)
}

/// As [`insert_first`], for many owners, given with the names of their organizations.
pub(in crate::domain) async fn insert_all(
    app: &App,
    tx: &mut Tx,
    kind: OrganizationKind,
    owners: &[(UserId, String)],
) -> Result<(), Error> {
    let created = owners.iter().map(|(owner, name)| Ok((new_row(app, *owner, kind, name.clone())?, *owner)));
    let created: Vec<(OrganizationRow, UserId)> = created.collect::<Result<_, Error>>()?;
    tx.organizations_create_owned(&created).await?;
    let changes = created.iter().map(|(organization, owner)| {
        change::Change::Organization(OrganizationChange::BegunWith { organization: organization.into(), owner: *owner })
    });
    Ok(tx.record_all(&changes.collect::<Vec<_>>()).await?)
}

fn new_row(app: &App, owner: UserId, kind: OrganizationKind, name: String) -> Result<OrganizationRow, Error> {
    let now = app.clock.now();
    let id = OrganizationId(random::uuid_v7(now)?);
    Ok(OrganizationRow { id, kind, name, created_by_user_id: Some(owner), created_at: now })
}

/// Renames an organization, if there is a name; made is whether it changed.
pub struct Rename<'a> {
    pub org: OrganizationId,
    pub name: Option<&'a str>,
}

impl Change for Rename<'_> {
    const OPERATION: Operation = Operation::RenameOrganization;
    type Made = bool;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let name = self.name.map(parsed).transpose()?;
        let organization = lock(tx, self.org).await?.organization;
        let Some(name) = name.filter(|name| *name != organization.name) else { return Ok(false) };
        tx.organization_set_name(self.org, &name).await?;
        tx.record_organization(OrganizationChange::Renamed { organization: (&organization).into(), name: &name })
            .await?;
        Ok(true)
    }
}

/// Makes an organization the active one of a member's session; made is the subject of the next access token.
pub struct Switch {
    pub session: SessionId,
    pub org: OrganizationId,
}

impl Change for Switch {
    const OPERATION: Operation = Operation::SwitchOrganization;
    type Made = Option<Subject>;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<Option<Subject>, ChangeError> {
        let Self { session, org } = self;
        let user = tx.principal().user_id().ok_or(Refusal::NotFound("organization"))?;
        // Against a concurrent end of the membership, which locks the user too.
        tx.user_lock(user).await?;
        let role = tx.member_role(org, user).await?;
        tx.require_role(role)?;
        tx.session_set_organization(session, org).await?;
        let row = tx.session_find(session).await?.filter(|row| row.user_id == user && row.ended_at.is_none());
        Ok(row.as_ref().and_then(Subject::of))
    }
}
