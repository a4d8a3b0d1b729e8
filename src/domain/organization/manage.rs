//! Organizations made, renamed, and gone to.

use super::refusal::{OrganizationError, Refusal};
use super::rules::{Actor, lock};
use crate::context::App;
use crate::domain::session::lifecycle::Subject;
use crate::error::Error;
use crate::messages::Message;
use crate::model::event::{Event, OrganizationData};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::random;
use crate::settings::OrgMode;
use crate::store::{OrganizationRow, Tx};

const NAME_MAX: usize = 80;

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

/// Trims and checks a name; blanks of any kind become single spaces.
fn parse_name(text: &str) -> Result<String, OrganizationError> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let refuse = |why: Message| Err(OrganizationError::Field(why));
    if name.is_empty() {
        return refuse(Message::new("name-missing"));
    }
    if name.chars().count() > NAME_MAX {
        return refuse(Message::new("name-too-long").number("max", NAME_MAX));
    }
    if name.chars().any(|c| c.is_control() || is_invisible(c)) {
        return refuse(Message::new("name-invisible"));
    }
    Ok(name)
}

/// What turns the writing around or cannot be seen makes one name look like another (Unicode Technical Report 36, 2).
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether users may create team organizations.
pub fn may_create(app: &App) -> bool {
    app.settings.accounts.org_mode == OrgMode::Multi
}

/// Makes a team organization with its first owner. An operator (`by` is not the owner) may also where each user has one
/// team, but not where every organization is personal.
pub async fn create(app: &App, by: Actor, owner: UserId, name: &str) -> Result<OrganizationRow, OrganizationError> {
    let permitted = match by {
        Actor::Operator => app.settings.accounts.org_mode != OrgMode::Personal,
        Actor::User(_) => may_create(app),
    };
    if !permitted {
        return Err(Refusal::NoTeams.into());
    }
    let name = parse_name(name)?;
    let mut tx = app.store.begin().await?;
    if tx.user_lock(owner).await?.is_none() {
        return Err(OrganizationError::NotFound("user"));
    }
    let organization = insert(app, &mut tx, owner, OrganizationKind::Team, name).await?;
    tx.commit().await?;
    Ok(organization)
}

/// Writes an organization and its first membership, with their events.
pub(in crate::domain) async fn insert(
    app: &App,
    tx: &mut Tx,
    owner: UserId,
    kind: OrganizationKind,
    name: String,
) -> Result<OrganizationRow, Error> {
    let organization = founded(app, owner, kind, name)?;
    tx.organization_create(&organization).await?;
    tx.membership_create(organization.id, owner, MemberRole::Owner).await?;
    for event in foundation(&organization, owner) {
        tx.outbox_push(&event).await?;
    }
    Ok(organization)
}

/// As [`insert`], for each of many owners and the names of theirs.
pub(in crate::domain) async fn insert_all(
    app: &App,
    tx: &mut Tx,
    kind: OrganizationKind,
    owners: &[(UserId, String)],
) -> Result<(), Error> {
    let made = owners.iter().map(|(owner, name)| Ok((founded(app, *owner, kind, name.clone())?, *owner)));
    let made: Vec<(OrganizationRow, UserId)> = made.collect::<Result<_, Error>>()?;
    tx.organizations_create_owned(&made).await?;
    let events: Vec<Event> = made.iter().flat_map(|(organization, owner)| foundation(organization, *owner)).collect();
    Ok(tx.outbox_push_all(&events).await?)
}

fn founded(app: &App, owner: UserId, kind: OrganizationKind, name: String) -> Result<OrganizationRow, Error> {
    let now = app.clock.now();
    let id = OrganizationId(random::uuid_v7(now)?);
    Ok(OrganizationRow { id, kind, name, created_by_user_id: Some(owner), created_at: now })
}

/// What is told of a new organization.
fn foundation(organization: &OrganizationRow, owner: UserId) -> [Event; 2] {
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

/// Renames an organization; `false` if it has that name already.
pub async fn rename(app: &App, actor: Actor, org: OrganizationId, name: &str) -> Result<bool, OrganizationError> {
    let name = parse_name(name)?;
    let mut tx = app.store.begin().await?;
    let mut organization = lock(&mut tx, org, actor, MemberRole::Admin).await?.organization;
    if organization.name == name {
        return Ok(false);
    }
    tx.organization_set_name(org, &name).await?;
    organization.name = name;
    tx.outbox_push(&Event::OrganizationUpdated((&organization).into())).await?;
    tx.commit().await?;
    Ok(true)
}

/// Makes an organization the active one of a session of one of its members; gives what an access token then says.
pub async fn switch(
    app: &App,
    user: UserId,
    session: SessionId,
    org: OrganizationId,
) -> Result<Option<Subject>, OrganizationError> {
    let mut tx = app.store.begin().await?;
    // Against a membership that ends this moment: its end locks the user too.
    tx.user_lock(user).await?;
    if tx.member_role(org, user).await?.is_none() {
        return Err(OrganizationError::NotFound("organization"));
    }
    tx.session_set_organization(session, org).await?;
    let row = tx.session_find(session).await?.filter(|row| row.user_id == user && row.ended_at.is_none());
    tx.commit().await?;
    Ok(row.as_ref().map(Subject::from))
}
