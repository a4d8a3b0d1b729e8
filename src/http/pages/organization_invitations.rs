//! `/auth/organizations/{id}/invitations…`: lists, creates, resends and revokes invitations (docs/reference/browser.md
//! 11.4).

use super::organization_invite::{InvitationFields, InviteOutcome, InvitingMember};
use super::organization_lines::{organization_head, path};
use super::organization_members::{NO_SUCH_ROLE, membership};
use super::organization_refused::page_with_status;
use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::directory::invitation::InvitationRecord;
use crate::domain::ending::Commit;
use crate::domain::organization::rules::MembershipView;
use crate::domain::organization::{invite, read};
use crate::http::form::{NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, Field, InvitationLine, OrganizationInvitationsPage, OrganizationTab, account_sections};
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::organization::{InvitationState, MemberRole};
use crate::rate_limit::ChangeKind;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&invitations_path(org)).await?;
    page(&context, &live, org, &InviteOutcome::default()).await
}

/// Invites the addresses of the form, and shows their links.
pub async fn create(
    context: PageContext,
    Path(org): Path<String>,
    submitted: Submitted<InvitationFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &InviteOutcome::none(errors)).await,
    };
    let Some(role) = form.role() else {
        let errors = form.refused_field("role", NO_SUCH_ROLE.clone());
        return page(&context, &live, org, &InviteOutcome::none(errors)).await;
    };
    let invited = InvitingMember::new(&context, &live, org).await?.invite_all(&form, role).await?;
    page(&context, &live, org, &invited).await
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
        Err(errors) => return page(&context, &live, org, &InviteOutcome::none(errors)).await,
    };
    let inviter = InvitingMember::new(&context, &live, org).await?;
    inviter.check_limits().await?;
    let (principal, locale) = (context.person(&live), context.language.locale);
    let done = match invite::resend(&context.app, &principal, org, invitation, locale, Commit).await {
        Ok(renewed) => InviteOutcome::one(inviter.link(renewed)),
        Err(error) => InviteOutcome::none(form.again().refused(error)?),
    };
    page(&context, &live, org, &done).await
}

pub async fn revoke(
    context: PageContext,
    Path(ids): Path<(String, String)>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let (org, invitation) = (OrganizationId(parse_id(&ids.0)?), InvitationId(parse_id(&ids.1)?));
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &InviteOutcome::none(errors)).await,
    };
    context.check_change_limit(&live, ChangeKind::Members).await?;
    match invite::revoke(&context.app, &context.person(&live), org, invitation).await {
        Ok(()) => Ok(context.redirect(Some(&format!("{}?done=revoked", invitations_path(org))))),
        Err(error) => page(&context, &live, org, &InviteOutcome::none(form.again().refused(error)?)).await,
    }
}

fn invitations_path(org: OrganizationId) -> String {
    format!("{}/invitations", path(org))
}

/// The page with what became of the form; a member who may not see it is told why.
async fn page(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    invited: &InviteOutcome,
) -> Result<Response, PageError> {
    let membership = membership(context, live, org).await?;
    let errors = &invited.errors;
    if let Err(refusal) = membership.may_invite(context.app.settings.accounts.org_mode) {
        let status = Some(errors.status()).filter(StatusCode::is_client_error).unwrap_or(StatusCode::FORBIDDEN);
        return Err(page_with_status(context, org, refusal, status));
    }
    let person = &context.person(live);
    let rows = read::invitations(&context.app, person, &membership).await?;
    let pending: Vec<InvitationLine<'_>> = rows.iter().map(|row| invitation_line(row, &membership)).collect();
    let csrf = context.csrf()?;
    let email = errors.field("email");
    let notice = context.done_message(&[("revoked", "organization-invitation-ended")]);
    let view = OrganizationInvitationsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        head: organization_head(context, live, &membership, OrganizationTab::Invitations).await?,
        notice: notice.as_ref(),
        links: &invited.links,
        are_mailed: context.app.settings.mail.is_delivered(),
        pending: &pending,
        must_verify: invite::must_verify(&context.app, person, live.view.user_id).await?,
        email: Field { value: invited.left.as_deref().unwrap_or(email.value), ..email },
        refused: &invited.refused,
        role: errors.typed().get("role").and_then(MemberRole::parse).unwrap_or(MemberRole::Member),
        role_error: errors.of("role"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

fn invitation_line<'a>(row: &'a InvitationRecord, membership: &MembershipView) -> InvitationLine<'a> {
    InvitationLine {
        id: row.id,
        email: &row.email,
        role: row.role,
        expires_at: row.expires_at,
        expired: row.state == InvitationState::Expired,
        changeable: membership.may_change(row.role).is_ok(),
    }
}
