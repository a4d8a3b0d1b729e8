//! `doorward invitation …`

use super::failure::Failure;
use super::format;
use super::org_args::{CreateInvitation, InvitationArgument, InvitationsOf};
use super::output::Output;
use super::runner::{StoreContext, as_operator};
use super::which_invitation;
use super::which_org;
use crate::context::App;
use crate::domain::directory::invitation::{self, InvitationFilter, InvitationRecord};
use crate::domain::directory::list;
use crate::domain::organization::invite::{self, CreatedInvitation, Invite};
use crate::model::mail_domain::in_letters;
use crate::model::metadata::Metadata;
use crate::model::principal::{Operation, Principal};
use serde::Serialize;
use serde_json::json;

pub(super) async fn create(app: &App, arguments: &CreateInvitation, out: &mut Output<'_>) -> Result<(), Failure> {
    let metadata = Metadata::parse(&arguments.metadata).map_err(Failure::Refused)?;
    let new = Invite {
        org: which_org::find(&app.store, &arguments.org).await?.id,
        email: &arguments.email,
        role: arguments.role,
        metadata,
        send_mail: true,
        locale: app.settings.pages.catalog().default_language(),
    };
    let invited = as_operator(app, new).await?;
    show(app, &invited, out)
}

fn show(app: &App, invited: &CreatedInvitation, out: &mut Output<'_>) -> Result<(), Failure> {
    let link = invited.link(app);
    let row = &invited.invitation;
    let mailed = app.settings.mail.smtp.is_some();
    let record = InvitationRecord::of(row.clone(), app.clock.now());
    let json = ShownInvitation { record: InvitationRecord { link: Some(link.clone()), ..record }, mailed };
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
pub(super) async fn resend(app: &App, which: &InvitationArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let found = which_invitation::find(&app.store, &which.invitation).await?;
    let locale = app.settings.pages.catalog().default_language();
    let resend = invite::Resend { org: found.organization_id, id: found.id, locale };
    let invited = as_operator(app, resend).await?;
    show(app, &invited, out)
}

pub(super) async fn revoke(app: &App, which: &InvitationArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let found = which_invitation::find(&app.store, &which.invitation).await?;
    as_operator(app, invite::Revoke { org: found.organization_id, id: found.id }).await?;
    let text = format!("The invitation of {} is revoked", in_letters(&found.email));
    out.result(&json!({"id": found.id, "revoked": true}), &text)
}

pub(super) async fn list(context: &StoreContext, of: &InvitationsOf, out: &mut Output<'_>) -> Result<(), Failure> {
    let store = &context.store;
    let org = which_org::find(store, &of.org).await?.id;
    let now = context.clock.now();
    let part = async |range| {
        let mut conn = store.read(&Principal::operator(), Operation::ReadOrganization).await?;
        invitation::list(&mut conn, org, InvitationFilter::All, now, range).await
    };
    let all: Vec<InvitationRecord> = list::all(part).await?;
    if all.is_empty() {
        return out.list(&all, None, "No invitations.");
    }
    let cells = all.iter().map(|row| {
        [
            in_letters(&row.email).into_owned(),
            row.role.as_str().to_owned(),
            row.state.as_str().to_owned(),
            row.id.to_string(),
        ]
    });
    out.list(&all, None, &format::table(["email", "role", "state", "id"], cells))
}

/// An invitation with its link, and whether it was mailed.
#[derive(Serialize)]
struct ShownInvitation {
    #[serde(flatten)]
    record: InvitationRecord,
    mailed: bool,
}
