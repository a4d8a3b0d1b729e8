//! `doorward invitation …`

use super::Failure;
use super::org::or_none;
use super::org_args::{CreateInvitation, InvitationCommand};
use super::output::Output;
use crate::app::App;
use crate::clock::Time;
use crate::domain::ids::{InvitationId, OrganizationId, UserId};
use crate::domain::metadata::Metadata;
use crate::domain::organizations::{self, Actor, InvitationState, Invited, MemberRole, NewInvitation};
use crate::messages::Locale;
use crate::store::InvitationRow;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use uuid::Uuid;

/// Invitations are read in pages of this size.
const PAGE: i64 = 500;

/// Carries out a command on invitations.
pub async fn run<W: Write>(app: &App, command: InvitationCommand, out: &mut Output<W>) -> Result<(), Failure> {
    match command {
        InvitationCommand::Create(arguments) => create(app, &arguments, out).await,
        InvitationCommand::List(of) => list(app, OrganizationId(of.org), out).await,
        InvitationCommand::Resend(which) => {
            let found = organizations::find_invitation(app, InvitationId(which.invitation)).await?;
            let invited =
                organizations::resend(app, Actor::Operator, found.organization_id, found.id, Locale::default()).await?;
            show(app, &invited, out)
        }
        InvitationCommand::Revoke(which) => {
            let found = organizations::find_invitation(app, InvitationId(which.invitation)).await?;
            organizations::revoke(app, Actor::Operator, found.organization_id, found.id).await?;
            let text = format!("The invitation of {} is revoked", found.email);
            out.result(&json!({"id": found.id, "revoked": true}), &text)
        }
    }
}

async fn create<W: Write>(app: &App, arguments: &CreateInvitation, out: &mut Output<W>) -> Result<(), Failure> {
    let metadata = Metadata::parse(&arguments.metadata).map_err(Failure::Refused)?;
    let new = NewInvitation { email: &arguments.email, role: arguments.role, metadata, locale: Locale::default() };
    let invited = organizations::invite(app, Actor::Operator, OrganizationId(arguments.org), new).await?;
    show(app, &invited, out)
}

/// Shows an invitation with its link.
fn show<W: Write>(app: &App, invited: &Invited, out: &mut Output<W>) -> Result<(), Failure> {
    let link = invited.link(app);
    let row = &invited.invitation;
    let mailed = app.settings.mail.smtp.is_some();
    let json = Record { link: Some(&link), mailed: Some(mailed), ..Record::of(row, app.clock.now()) };
    let text = if mailed {
        format!(
            "An invitation is on its way to {}. Or give them this link, which is shown only now and ends {}.\n{link}",
            row.email, row.expires_at
        )
    } else {
        format!(
            "Mail is not set up, so give {} this link, which is shown only now and ends {}.\n{link}",
            row.email, row.expires_at
        )
    };
    out.result(&json, &text)
}

async fn list<W: Write>(app: &App, org: OrganizationId, out: &mut Output<W>) -> Result<(), Failure> {
    organizations::find(app, org).await?;
    let now = app.clock.now();
    let mut all: Vec<InvitationRow> = Vec::new();
    loop {
        let after = all.last().map_or(InvitationId(Uuid::nil()), |last| last.id);
        let page = organizations::list_invitations(app, org, after, PAGE).await?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let records: Vec<Record<'_>> = all.iter().map(|row| Record::of(row, now)).collect();
    let line = |row: &InvitationRow| {
        format!("{}  {:8}  {:6}  {}", row.id, row.state_at(now).as_str(), row.role.as_str(), row.email)
    };
    let lines: Vec<String> = all.iter().map(line).collect();
    out.result(&records, &or_none(&lines, "No invitations."))
}

/// An invitation as JSON, its metadata letter by letter.
#[derive(Serialize)]
struct Record<'a> {
    id: InvitationId,
    organization_id: OrganizationId,
    email: &'a str,
    role: MemberRole,
    state: InvitationState,
    metadata: &'a Metadata,
    invited_by_user_id: Option<UserId>,
    created_at: Time,
    expires_at: Time,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mailed: Option<bool>,
}

impl<'a> Record<'a> {
    fn of(row: &'a InvitationRow, now: Time) -> Self {
        Self {
            id: row.id,
            organization_id: row.organization_id,
            email: &row.email,
            role: row.role,
            state: row.state_at(now),
            metadata: &row.metadata,
            invited_by_user_id: row.invited_by_user_id,
            created_at: row.created_at,
            expires_at: row.expires_at,
            link: None,
            mailed: None,
        }
    }
}
