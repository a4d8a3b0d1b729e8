//! `doorward org …`

use super::Failure;
use super::org_args::{CreateOrg, MembersCommand, OrgCommand, SetRole};
use super::output::Output;
use crate::app::App;
use crate::domain::accounts;
use crate::domain::ids::{OrganizationId, UserId};
use crate::domain::organizations::{self, Actor, OrganizationError};
use crate::store::{MemberRow, OrganizationRow};
use serde_json::{Value, json};
use std::io::Write;
use uuid::Uuid;

/// Rows are read in pages of this size.
const PAGE: i64 = 500;

/// Carries out a command on organizations.
pub async fn run<W: Write>(app: &App, command: OrgCommand, out: &mut Output<W>) -> Result<(), Failure> {
    match command {
        OrgCommand::Create(arguments) => create(app, &arguments, out).await,
        OrgCommand::List => list(app, out).await,
        OrgCommand::Show(which) => {
            let organization = organizations::find(app, OrganizationId(which.org)).await?;
            out.result(&record(&organization), &description(&organization))
        }
        OrgCommand::Rename(arguments) => rename(app, OrganizationId(arguments.org), &arguments.new_name, out).await,
        OrgCommand::Delete(which) => delete(app, OrganizationId(which.org), out).await,
        OrgCommand::Members(MembersCommand::List(which)) => list_members(app, OrganizationId(which.org), out).await,
        OrgCommand::Members(MembersCommand::SetRole(arguments)) => set_role(app, &arguments, out).await,
        OrgCommand::Members(MembersCommand::Remove(which)) => {
            remove(app, OrganizationId(which.org), &which.user, out).await
        }
    }
}

async fn create<W: Write>(app: &App, arguments: &CreateOrg, out: &mut Output<W>) -> Result<(), Failure> {
    let owner = accounts::find(app, &arguments.owner).await?;
    let organization = organizations::create(app, Actor::Operator, owner.id, &arguments.org_name).await?;
    let text = format!("Created {} ({}), owned by {}", organization.name, organization.id, owner.email);
    out.result(&record(&organization), &text)
}

async fn list<W: Write>(app: &App, out: &mut Output<W>) -> Result<(), Failure> {
    let mut all: Vec<OrganizationRow> = Vec::new();
    loop {
        let after = all.last().map_or(OrganizationId(Uuid::nil()), |last| last.id);
        let page = organizations::list(app, after, PAGE).await?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let records: Vec<Value> = all.iter().map(record).collect();
    let lines: Vec<String> =
        all.iter().map(|row| format!("{}  {:8}  {}", row.id, row.kind.as_str(), row.name)).collect();
    out.result(&json!(records), &or_none(&lines, "No organizations yet."))
}

async fn rename<W: Write>(app: &App, org: OrganizationId, name: &str, out: &mut Output<W>) -> Result<(), Failure> {
    let changed = organizations::rename(app, Actor::Operator, org, name).await?;
    let organization = organizations::find(app, org).await?;
    let text = if changed {
        format!("It is now called {}", organization.name)
    } else {
        format!("It was called {} already", organization.name)
    };
    let mut json = record(&organization);
    json["changed"] = json!(changed);
    out.result(&json, &text)
}

async fn delete<W: Write>(app: &App, org: OrganizationId, out: &mut Output<W>) -> Result<(), Failure> {
    let organization = organizations::find(app, org).await?;
    organizations::delete(app, Actor::Operator, org).await?;
    out.result(&json!({"id": org, "deleted": true}), &format!("Deleted {}", organization.name))
}

async fn list_members<W: Write>(app: &App, org: OrganizationId, out: &mut Output<W>) -> Result<(), Failure> {
    organizations::find(app, org).await?;
    let mut all: Vec<MemberRow> = Vec::new();
    loop {
        let after = all.last().map_or(UserId(Uuid::nil()), |last| last.user_id);
        let page = organizations::list_members(app, org, after, PAGE).await?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let records: Vec<Value> = all.iter().map(member_record).collect();
    let line = |row: &MemberRow| format!("{}  {:6}  {}  {}", row.user_id, row.role.as_str(), row.email, row.username);
    let lines: Vec<String> = all.iter().map(line).collect();
    out.result(&json!(records), &or_none(&lines, "No members."))
}

async fn set_role<W: Write>(app: &App, arguments: &SetRole, out: &mut Output<W>) -> Result<(), Failure> {
    let user = accounts::find(app, &arguments.user).await?;
    let org = OrganizationId(arguments.org);
    let changed = organizations::set_role(app, Actor::Operator, org, user.id, arguments.role).await?;
    let role = arguments.role.as_str();
    let text =
        if changed { format!("{} is now {role}", user.email) } else { format!("{} was {role} already", user.email) };
    out.result(&json!({"organization_id": org, "user_id": user.id, "role": role, "changed": changed}), &text)
}

async fn remove<W: Write>(app: &App, org: OrganizationId, who: &str, out: &mut Output<W>) -> Result<(), Failure> {
    let user = accounts::find(app, who).await?;
    organizations::remove(app, Actor::Operator, org, user.id).await?;
    let json = json!({"organization_id": org, "user_id": user.id, "removed": true});
    out.result(&json, &format!("{} is no longer a member", user.email))
}

/// The lines, or a sentence that there are none.
pub(super) fn or_none(lines: &[String], none: &str) -> String {
    if lines.is_empty() { none.to_owned() } else { lines.join("\n") }
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
    let by = row.created_by_user_id.map_or_else(|| "unknown".to_owned(), |user| user.to_string());
    format!(
        "Id          {}\nName        {}\nKind        {}\nCreated     {}\nCreated by  {by}",
        row.id,
        row.name,
        row.kind.as_str(),
        row.created_at
    )
}

impl From<OrganizationError> for Failure {
    fn from(error: OrganizationError) -> Self {
        match error {
            OrganizationError::Failed(error) => Failure::Fault(error),
            other => Failure::Refused(other.to_string()),
        }
    }
}
