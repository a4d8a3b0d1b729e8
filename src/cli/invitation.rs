//! `doorward invitation …`

use super::failure::Failure;
use super::format;
use super::org_args::{CreateInvitation, InvitationArgument, InvitationsOf};
use super::output::Output;
use super::runner::StoreContext;
use super::which_org;
use crate::context::App;
use crate::domain::ending::Commit;
use crate::domain::organization::invite::{self, CreatedInvitation, NewInvitation, invite};
use crate::domain::organization::lookup;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::mail_domain::in_letters;
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole};
use crate::model::principal::Principal;
use crate::model::time::Time;
use crate::store::InvitationRow;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use uuid::Uuid;

/// Number of invitations read at a time.
const PAGE_SIZE: i64 = 500;

/// Invites a person.
pub(super) async fn create<W: Write>(
    app: &App,
    arguments: &CreateInvitation,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let metadata = Metadata::parse(&arguments.metadata).map_err(Failure::Refused)?;
    let new = NewInvitation {
        email: &arguments.email,
        role: arguments.role,
        metadata,
        send_mail: true,
        locale: app.settings.pages.catalog().default_language(),
    };
    let org = which_org::find(&app.store, &arguments.org).await?.id;
    let invited = invite(app, &Principal::operator(), org, new, Commit).await?;
    show(app, &invited, out)
}

/// Prints an invitation with its link.
fn show<W: Write>(app: &App, invited: &CreatedInvitation, out: &mut Output<W>) -> Result<(), Failure> {
    let link = invited.link(app);
    let row = &invited.invitation;
    let mailed = app.settings.mail.smtp.is_some();
    let json = Record { link: Some(&link), mailed: Some(mailed), ..Record::of(row, app.clock.now()) };
    let text = if mailed {
        format!(
            "Invitation {} was sent to {}. You can also share this link, which is not shown again and ends {}.\n{link}",
            row.id,
            in_letters(&row.email),
            row.expires_at
        )
    } else {
        format!(
            "Invitation {} waits, as email is not set up. Give {} this link, which is not shown again and ends {}.\n{link}",
            row.id,
            in_letters(&row.email),
            row.expires_at
        )
    };
    out.result(&json, &text)
}

/// Mails an invitation again, with a new link.
pub(super) async fn resend<W: Write>(
    app: &App,
    which: &InvitationArgument,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let found = lookup::find_invitation(&app.store, &Principal::operator(), InvitationId(which.invitation)).await?;
    let invited = invite::resend(
        app,
        &Principal::operator(),
        found.organization_id,
        found.id,
        app.settings.pages.catalog().default_language(),
        Commit,
    )
    .await?;
    show(app, &invited, out)
}

/// Revokes an invitation.
pub(super) async fn revoke<W: Write>(
    app: &App,
    which: &InvitationArgument,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let found = lookup::find_invitation(&app.store, &Principal::operator(), InvitationId(which.invitation)).await?;
    invite::revoke(app, &Principal::operator(), found.organization_id, found.id).await?;
    let text = format!("The invitation of {} is revoked", in_letters(&found.email));
    out.result(&json!({"id": found.id, "revoked": true}), &text)
}

/// Lists the invitations of an organization.
pub(super) async fn list<W: Write>(
    context: &StoreContext,
    of: &InvitationsOf,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let store = &context.store;
    let org = which_org::find(store, &of.org).await?.id;
    let now = context.clock.now();
    let mut all: Vec<InvitationRow> = Vec::new();
    loop {
        let after = all.last().map_or(InvitationId(Uuid::nil()), |last| last.id);
        let page = lookup::list_invitations(store, &Principal::operator(), org, after, PAGE_SIZE).await?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let records: Vec<Record<'_>> = all.iter().map(|row| Record::of(row, now)).collect();
    if all.is_empty() {
        return out.list(&records, None, "No invitations.");
    }
    let cells = all.iter().map(|row| {
        [
            row.id.to_string(),
            row.state_at(now).as_str().to_owned(),
            row.role.as_str().to_owned(),
            in_letters(&row.email).into_owned(),
        ]
    });
    out.list(&records, None, &format::table(["id", "state", "role", "email"], cells))
}

/// An invitation as JSON, with its metadata byte for byte.
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
