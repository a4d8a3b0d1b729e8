//! `/auth/organizations/{id}/invitations…`: creates, resends and revokes invitations (docs/reference/browser.md 11.4).

use super::organization::{InvitationLink, page, page_with_link};
use super::organization_lines::path;
use super::organization_members::{NO_SUCH_ROLE, membership};
use super::organization_refused::{refused, refused_field};
use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::ending::Commit;
use crate::domain::organization::invite::{self, CreatedInvitation, NewInvitation};
use crate::http::form::{FormErrors, FormFields, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::extract::Path;
use axum::response::Response;
use serde::Deserialize;

/// The form of an invitation.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct InvitationFields {
    email: String,
    role: Option<String>,
}

impl FormFields for InvitationFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email", "role"];
}

impl InvitationFields {
    /// The role; without the field, the lowest.
    fn role(&self) -> Option<MemberRole> {
        self.role.as_deref().map_or(Some(MemberRole::Member), MemberRole::parse)
    }
}

/// Creates an invitation and shows its link.
pub async fn create(
    context: PageContext,
    Path(org): Path<String>,
    submitted: Submitted<InvitationFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &errors).await,
    };
    let Some(role) = form.role() else {
        return page(&context, &live, org, &form.refused_field("role", NO_SUCH_ROLE.clone())).await;
    };
    check_invitation_limits(&context, &live, org).await?;
    // Only operators set metadata: applications derive permissions from it.
    let (metadata, locale) = (Metadata::default(), context.language.locale);
    let new = NewInvitation { email: &form.email, role, metadata, send_mail: true, locale };
    match invite::invite(&context.app, &context.person(&live), org, new, Commit).await {
        Ok(invited) => show_link(&context, &live, org, invited).await,
        Err(error) => page(&context, &live, org, &refused_field(form.again(), "email", error)?).await,
    }
}

/// Replaces the link of an invitation and shows the new one.
pub async fn resend(
    context: PageContext,
    Path(ids): Path<(String, String)>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let (org, invitation) = (OrganizationId(parse_id(&ids.0)?), InvitationId(parse_id(&ids.1)?));
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &errors).await,
    };
    check_invitation_limits(&context, &live, org).await?;
    let (principal, locale) = (context.person(&live), context.language.locale);
    match invite::resend(&context.app, &principal, org, invitation, locale, Commit).await {
        Ok(invited) => show_link(&context, &live, org, invited).await,
        Err(error) => page(&context, &live, org, &refused(form.again(), error)?).await,
    }
}

/// Revokes an invitation.
pub async fn revoke(
    context: PageContext,
    Path(ids): Path<(String, String)>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let (org, invitation) = (OrganizationId(parse_id(&ids.0)?), InvitationId(parse_id(&ids.1)?));
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Members).await?;
    match invite::revoke(&context.app, &context.person(&live), org, invitation).await {
        Ok(()) => Ok(context.redirect(Some(&path(org)))),
        Err(error) => page(&context, &live, org, &refused(form.again(), error)?).await,
    }
}

/// Checks the rate limits of the user and the organization, only for users who may invite: others must not use up the
/// organization's limit.
async fn check_invitation_limits(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
) -> Result<(), PageError> {
    let membership = membership(context, live, org).await?;
    if membership.require_team().and_then(|()| membership.require_role(MemberRole::Admin)).is_ok() {
        let limits =
            [RateLimit::InviteBy(live.view.user_id), RateLimit::InviteTo(org), RateLimit::InviteFrom(context.address)];
        context.check_rate_limits(limits).await?;
    }
    Ok(())
}

/// Shows the link in the response instead of redirecting: it is not stored and cannot be shown again.
async fn show_link(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    invited: CreatedInvitation,
) -> Result<Response, PageError> {
    let url = invited.link(&context.app);
    let mailed = context.app.settings.mail.smtp.is_some();
    let link =
        InvitationLink { email: invited.invitation.email, url, expires_at: invited.invitation.expires_at, mailed };
    page_with_link(context, live, org, &FormErrors::default(), Some(&link)).await
}
