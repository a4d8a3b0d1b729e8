//! `doorward org …`

use super::failure::Failure;
use super::format;
use super::org_args::{CreateOrg, MemberArgument, OrgArgument, OrgToConfirm, RenameOrg, SetRole};
use super::output::{Output, require_confirmation};
use super::which_org;
use super::wording::sentence;
use crate::context::App;
use crate::domain::account::operator;
use crate::domain::ending::Commit;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::{delete, lookup, manage, members};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::mail_domain::in_letters;
use crate::model::principal::Principal;
use crate::store::{MemberRow, OrganizationRow, Store};
use serde_json::{Value, json};
use std::io::Write;
use uuid::Uuid;

/// Number of rows read at a time.
const PAGE_SIZE: i64 = 500;

/// Creates a team organization.
pub(super) async fn create<W: Write>(app: &App, arguments: &CreateOrg, out: &mut Output<W>) -> Result<(), Failure> {
    let owner = operator::find(&app.store, &Principal::operator(), &arguments.owner).await?;
    let organization = manage::create(app, &Principal::operator(), owner.id, &arguments.org_name, Commit).await?;
    let text = format!("Created {} ({}), owned by {}", organization.name, organization.id, in_letters(&owner.email));
    out.result(&record(&organization), &text)
}

/// Lists the organizations.
pub(super) async fn list<W: Write>(store: &Store, out: &mut Output<W>) -> Result<(), Failure> {
    let mut all: Vec<OrganizationRow> = Vec::new();
    loop {
        let after = all.last().map_or(OrganizationId(Uuid::nil()), |last| last.id);
        let page = lookup::list(store, &Principal::operator(), after, PAGE_SIZE).await?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let records: Vec<Value> = all.iter().map(record).collect();
    if all.is_empty() {
        return out.list(&records, None, "No organizations yet.");
    }
    let cells = all.iter().map(|row| [row.id.to_string(), row.kind.as_str().to_owned(), row.name.clone()]);
    out.list(&records, None, &format::table(["id", "kind", "name"], cells))
}

/// Shows one organization.
pub(super) async fn show<W: Write>(store: &Store, which: &OrgArgument, out: &mut Output<W>) -> Result<(), Failure> {
    let organization = which_org::find(store, &which.org).await?;
    out.result(&record(&organization), &description(&organization))
}

/// Renames an organization.
pub(super) async fn rename<W: Write>(app: &App, arguments: &RenameOrg, out: &mut Output<W>) -> Result<(), Failure> {
    let org = which_org::find(&app.store, &arguments.org).await?.id;
    let changed = manage::rename(app, &Principal::operator(), org, Some(&arguments.new_name), Commit).await?;
    let organization = lookup::find(&app.store, &Principal::operator(), org).await?;
    let text = if changed {
        format!("It is now called {}", organization.name)
    } else {
        format!("It was called {} already", organization.name)
    };
    let mut json = record(&organization);
    json["changed"] = json!(changed);
    out.result(&json, &text)
}

/// Deletes a team organization.
pub(super) async fn delete<W: Write>(app: &App, which: &OrgToConfirm, out: &mut Output<W>) -> Result<(), Failure> {
    let organization = which_org::find(&app.store, &which.org).await?;
    let org = organization.id;
    require_confirmation(&format!("Delete {} ({org}) permanently?", organization.name), which.yes)?;
    delete::delete(app, &Principal::operator(), org).await?;
    out.result(&json!({"id": org, "deleted": true}), &format!("Deleted {}", organization.name))
}

/// Lists the members of an organization.
pub(super) async fn list_members<W: Write>(
    store: &Store,
    which: &OrgArgument,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let org = which_org::find(store, &which.org).await?.id;
    let mut all: Vec<MemberRow> = Vec::new();
    loop {
        let after = all.last().map_or(UserId(Uuid::nil()), |last| last.user_id);
        let page = lookup::list_members(store, &Principal::operator(), org, after, PAGE_SIZE).await?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let records: Vec<Value> = all.iter().map(member_record).collect();
    let cells = all.iter().map(|row| {
        [
            row.user_id.to_string(),
            row.role.as_str().to_owned(),
            in_letters(&row.email).into_owned(),
            row.username.clone(),
        ]
    });
    out.list(&records, None, &format::table(["id", "role", "email", "username"], cells))
}

/// Changes the role of a member.
pub(super) async fn set_role<W: Write>(app: &App, arguments: &SetRole, out: &mut Output<W>) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &arguments.user).await?;
    let org = which_org::find(&app.store, &arguments.org).await?.id;
    let changed = members::set_role(app, &Principal::operator(), org, user.id, Some(arguments.role), Commit).await?;
    let role = arguments.role.as_str();
    let text = if changed {
        format!("{} is now {role}", in_letters(&user.email))
    } else {
        format!("{} was {role} already", in_letters(&user.email))
    };
    out.result(&json!({"organization_id": org, "user_id": user.id, "role": role, "changed": changed}), &text)
}

/// Removes a member.
pub(super) async fn remove_member<W: Write>(
    app: &App,
    which: &MemberArgument,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &which.user).await?;
    let org = which_org::find(&app.store, &which.org).await?.id;
    members::remove(app, &Principal::operator(), org, user.id).await?;
    let json = json!({"organization_id": org, "user_id": user.id, "removed": true});
    out.result(&json, &format!("{} is no longer a member", in_letters(&user.email)))
}

fn record(row: &OrganizationRow) -> Value {
    json!({
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "created_by_user_id": row.created_by_user_id,
        "created_at": row.created_at,
    })
}

fn member_record(row: &MemberRow) -> Value {
    json!({
        "user_id": row.user_id,
        "email": row.email,
        "username": row.username,
        "role": row.role,
        "created_at": row.created_at,
    })
}

fn description(row: &OrganizationRow) -> String {
    let creator = row.created_by_user_id.map_or_else(|| "unknown".to_owned(), |user| user.to_string());
    format::fields(&[
        ("Id", row.id.to_string()),
        ("Name", row.name.clone()),
        ("Kind", row.kind.as_str().to_owned()),
        ("Created", row.created_at.to_string()),
        ("Created by", creator),
    ])
}

impl From<OrganizationError> for Failure {
    fn from(error: OrganizationError) -> Self {
        match error {
            OrganizationError::Failed(error) => Failure::Fault(error),
            OrganizationError::Refused(refusal) => Failure::Refused(sentence(&refusal.message())),
            OrganizationError::Field(message) => Failure::Refused(sentence(&message)),
            OrganizationError::NotFound(_) | OrganizationError::Protected | OrganizationError::TooSoon(_) => {
                Failure::Refused(error.to_string())
            }
        }
    }
}
