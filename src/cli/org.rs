//! `doorward org …`

use super::failure::Failure;
use super::format;
use super::org_args::{AddMember, CreateOrg, MemberArgument, MembersOf, OrgArgument, OrgToConfirm, RenameOrg, SetRole};
use super::output::{Changed, Output};
use super::page::{self, PageArguments};
use super::runner::{StoreContext, as_operator};
use super::which_org;
use super::which_user;
use crate::context::App;
use crate::domain::directory::list::Listing;
use crate::domain::directory::member::{self, MemberRecord};
use crate::domain::directory::organization::{self, OrganizationRecord};
use crate::domain::organization::{delete, manage, members};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};
use crate::refusal::Refusal;
use crate::store::Store;
use serde_json::json;

pub(super) async fn create(app: &App, arguments: &CreateOrg, out: &mut Output<'_>) -> Result<(), Failure> {
    let owner = which_user::find(&app.store, &arguments.owner).await?;
    let made = as_operator(app, manage::CreateTeam { owner: owner.id, name: &arguments.org_name }).await?;
    let text = format!("Created {} ({}), owned by {}", made.name, made.id, in_letters(&owner.email));
    out.result(&find(&app.store, made.id).await?, &text)
}

pub(super) async fn list(context: &StoreContext, page: PageArguments, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut conn = context.store.read(&Principal::operator(), Operation::ListOrganizations).await?;
    let Listing { data, next, .. } = organization::list(&mut conn, page.range()).await?;
    if data.is_empty() {
        return out.list(&data, next, "No organizations yet.");
    }
    let cells = data.iter().map(|row| [row.name.clone(), row.kind.as_str().to_owned(), row.id.to_string()]);
    out.list(&data, next, &page::text(format::table(["name", "kind", "id"], cells), next))
}

/// The organization with this id, as it is shown.
async fn find(store: &Store, org: OrganizationId) -> Result<OrganizationRecord, Failure> {
    let mut conn = store.read(&Principal::operator(), Operation::ReadOrganization).await?;
    Ok(organization::find(&mut conn, org).await?.ok_or(Refusal::NotFound("organization"))?)
}

pub(super) async fn show(context: &StoreContext, which: &OrgArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let store = &context.store;
    let organization = find(store, which_org::find(store, &which.org).await?.id).await?;
    out.result(&organization, &description(&organization))
}

pub(super) async fn rename(app: &App, arguments: &RenameOrg, out: &mut Output<'_>) -> Result<(), Failure> {
    let org = which_org::find(&app.store, &arguments.org).await?.id;
    let changed = as_operator(app, manage::Rename { org, name: Some(&arguments.new_name) }).await?;
    let organization = find(&app.store, org).await?;
    let text = if changed {
        format!("It is now called {}", organization.name)
    } else {
        format!("It was called {} already", organization.name)
    };
    out.result(&Changed { record: organization, changed }, &text)
}

pub(super) async fn delete(app: &App, which: &OrgToConfirm, out: &mut Output<'_>) -> Result<(), Failure> {
    let organization = which_org::find(&app.store, &which.org).await?;
    let org = organization.id;
    out.require_confirmation(&format!("Delete {} ({org}) permanently?", organization.name), which.yes)?;
    as_operator(app, delete::Delete { org }).await?;
    out.result(&json!({"id": org, "deleted": true}), &format!("Deleted {}", organization.name))
}

pub(super) async fn list_members(context: &StoreContext, of: &MembersOf, out: &mut Output<'_>) -> Result<(), Failure> {
    let store = &context.store;
    let org = which_org::find(store, &of.org).await?.id;
    let mut conn = store.read(&Principal::operator(), Operation::ReadOrganization).await?;
    let Listing { data, next, .. } = member::list(&mut conn, org, None, of.range.range()).await?;
    if data.is_empty() {
        return out.list(&data, next, "No members.");
    }
    let cells = data.iter().map(|row| {
        [
            in_letters(&row.email).into_owned(),
            row.username.clone(),
            row.role.as_str().to_owned(),
            row.user_id.to_string(),
        ]
    });
    out.list(&data, next, &page::text(format::table(["email", "username", "role", "id"], cells), next))
}

pub(super) async fn add_member(app: &App, arguments: &AddMember, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &arguments.user).await?;
    let org = which_org::find(&app.store, &arguments.org).await?.id;
    as_operator(app, members::AddMember { org, user: user.id, role: arguments.role }).await?;
    let text = format!("{} is now {}", in_letters(&user.email), arguments.role.as_str());
    out.result(&find_member(&app.store, org, user.id).await?, &text)
}

async fn find_member(store: &Store, org: OrganizationId, user: UserId) -> Result<MemberRecord, Failure> {
    let mut conn = store.read(&Principal::operator(), Operation::ReadOrganization).await?;
    Ok(member::find(&mut conn, org, user).await?.ok_or(Refusal::NotFound("member"))?)
}

pub(super) async fn set_role(app: &App, arguments: &SetRole, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &arguments.user).await?;
    let org = which_org::find(&app.store, &arguments.org).await?.id;
    let changed = as_operator(app, members::SetRole { org, user: user.id, role: Some(arguments.role) }).await?;
    let role = arguments.role.as_str();
    let text = if changed {
        format!("{} is now {role}", in_letters(&user.email))
    } else {
        format!("{} was {role} already", in_letters(&user.email))
    };
    let record = find_member(&app.store, org, user.id).await?;
    out.result(&Changed { record, changed }, &text)
}

pub(super) async fn remove_member(app: &App, which: &MemberArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &which.user).await?;
    let org = which_org::find(&app.store, &which.org).await?.id;
    as_operator(app, members::RemoveMember { org, user: user.id }).await?;
    let json = json!({"organization_id": org, "user_id": user.id, "removed": true});
    out.result(&json, &format!("{} is no longer a member", in_letters(&user.email)))
}

fn description(row: &OrganizationRecord) -> String {
    let creator = row.created_by_user_id.map_or_else(|| "unknown".to_owned(), |user| user.to_string());
    format::fields(&[
        ("Id", row.id.to_string()),
        ("Name", row.name.clone()),
        ("Kind", row.kind.as_str().to_owned()),
        ("Created", row.created_at.to_string()),
        ("Created by", creator),
        ("Members", row.members.to_string()),
    ])
}
