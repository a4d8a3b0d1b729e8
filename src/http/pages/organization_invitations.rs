//! `/auth/organizations/{id}/invitations…`: creates, resends and revokes invitations (docs/protocol.md 11.4).

use super::organization::{FormState, InvitationLink, page};
use super::organization_lines::path;
use super::organization_members::{NO_SUCH_ROLE, membership};
use super::page_context::PageContext;
use super::submission::{EarlyResponse, Submission, parse_id};
use crate::domain::organization::invite::{self, CreatedInvitation, NewInvitation};
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::Principal;
use crate::http::session::LiveSession;
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Creates an invitation and shows its link.
pub async fn create(context: PageContext, Path(org): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let Submission { context, live, fields, csrf_valid } = context.submission(body, &path(org)).await?;
    let email = fields.text("email").to_owned();
    // Without the field, the lowest role.
    let parsed_role = fields.get("role").map_or(Some(MemberRole::Member), MemberRole::parse);
    let role = parsed_role.unwrap_or(MemberRole::Member);
    if !csrf_valid {
        return page(context, &live, org, FormState { email, role, ..FormState::csrf_invalid() }).await;
    }
    if parsed_role.is_none() {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        let form = FormState { status, email, role, role_error: Some(&NO_SUCH_ROLE), ..FormState::default() };
        return page(context, &live, org, form).await;
    }
    invite(context, &live, org, &email, role).await
}

async fn invite(
    context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    email: &str,
    role: MemberRole,
) -> Result<Response, EarlyResponse> {
    check_invitation_limits(&context, live, org).await?;
    // Only operators set metadata: applications derive permissions from it.
    let new = NewInvitation { email, role, metadata: Metadata::default(), locale: context.language.locale };
    match invite::invite(&context.app, Principal::User(live.view.user_id), org, new).await {
        Ok(invited) => show_link(context, live, org, invited).await,
        Err(OrganizationError::Field(message)) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            let email = email.to_owned();
            page(
                context,
                live,
                org,
                FormState { status, email, role, email_error: Some(message), ..FormState::default() },
            )
            .await
        }
        Err(error) => {
            let form = FormState { email: email.to_owned(), role, ..FormState::from_error(error, context.id)? };
            page(context, live, org, form).await
        }
    }
}

/// Replaces the link of an invitation and shows the new one.
pub async fn resend(
    context: PageContext,
    Path(ids): Path<(String, String)>,
    body: Body,
) -> Result<Response, EarlyResponse> {
    let (org, invitation) = (OrganizationId(parse_id(&ids.0)?), InvitationId(parse_id(&ids.1)?));
    let Submission { context, live, fields: _, csrf_valid } = context.submission(body, &path(org)).await?;
    if !csrf_valid {
        return page(context, &live, org, FormState::csrf_invalid()).await;
    }
    check_invitation_limits(&context, &live, org).await?;
    match invite::resend(&context.app, Principal::User(live.view.user_id), org, invitation, context.language.locale)
        .await
    {
        Ok(invited) => show_link(context, &live, org, invited).await,
        Err(error) => {
            let form = FormState::from_error(error, context.id)?;
            page(context, &live, org, form).await
        }
    }
}

/// Revokes an invitation.
pub async fn revoke(
    context: PageContext,
    Path(ids): Path<(String, String)>,
    body: Body,
) -> Result<Response, EarlyResponse> {
    let (org, invitation) = (OrganizationId(parse_id(&ids.0)?), InvitationId(parse_id(&ids.1)?));
    let Submission { context, live, fields: _, csrf_valid } = context.submission(body, &path(org)).await?;
    if !csrf_valid {
        return page(context, &live, org, FormState::csrf_invalid()).await;
    }
    context.check_change_limit(&live, ChangeKind::Members).await?;
    match invite::revoke(&context.app, Principal::User(live.view.user_id), org, invitation).await {
        Ok(()) => Ok(context.redirect(Some(&path(org)))),
        Err(error) => {
            let form = FormState::from_error(error, context.id)?;
            page(context, &live, org, form).await
        }
    }
}

/// Checks the rate limits of the user and the organization, only for users who may invite: others must not use up the
/// organization's limit.
async fn check_invitation_limits(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
) -> Result<(), EarlyResponse> {
    let membership = membership(context, live, org).await?;
    if membership.require_team().and_then(|()| membership.require_role(MemberRole::Admin)).is_ok() {
        context.check_rate_limit(RateLimit::InviteBy(live.view.user_id)).await?;
        context.check_rate_limit(RateLimit::InviteTo(org)).await?;
    }
    Ok(())
}

/// Shows the link in the response instead of redirecting: it is not stored and cannot be shown again.
async fn show_link(
    context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    invited: CreatedInvitation,
) -> Result<Response, EarlyResponse> {
    let url = invited.link(&context.app);
    let mailed = context.app.settings.mail.smtp.is_some();
    let link =
        InvitationLink { email: invited.invitation.email, url, expires_at: invited.invitation.expires_at, mailed };
    page(context, live, org, FormState { link: Some(link), ..FormState::default() }).await
}
