//! `/auth/organizations/{id}/members/{user}` and `/leave`: changes roles and ends memberships.

use super::organization_lines::{member_line, organization_header, path};
use super::organization_refused::page as refused;
use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, not_found, parse_id, status_and_message};
use crate::domain::organization::rules::{MembershipView, Principal};
use crate::domain::organization::{members, read};
use crate::http::error::InternalError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, LeaveOrganizationPage, MemberPage, account_sections};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::rate_limit::ChangeKind;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

type MemberPath = Path<(String, String)>;

/// Shown beside the role field if the value is not a role.
pub(super) static NO_SUCH_ROLE: Message = Message::new("role-missing");

fn parse_ids(ids: &(String, String)) -> Result<(OrganizationId, UserId), EarlyResponse> {
    Ok((OrganizationId(parse_id(&ids.0)?), UserId(parse_id(&ids.1)?)))
}

/// Shows a member to a user who may change them.
pub async fn show(context: PageContext, Path(path_ids): MemberPath) -> Result<Response, EarlyResponse> {
    let (org, user) = parse_ids(&path_ids)?;
    let LoggedIn { context, live } = context.require_login(&format!("{}/members/{user}", path(org))).await?;
    member_page(context, &live, org, user, StatusCode::OK, None).await
}

/// Changes a member's role.
pub async fn set_role(context: PageContext, Path(path_ids): MemberPath, body: Body) -> Result<Response, EarlyResponse> {
    let (org, user) = parse_ids(&path_ids)?;
    let Submission { context, live, fields, csrf_valid } = context.submission(body, &path(org)).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live, org, user).await;
    }
    context.check_change_limit(&live, ChangeKind::Members).await?;
    let Some(role) = MemberRole::parse(fields.text("role")) else {
        return member_page(context, &live, org, user, StatusCode::UNPROCESSABLE_ENTITY, Some(&NO_SUCH_ROLE)).await;
    };
    match members::set_role(&context.app, Principal::User(live.view.user_id), org, user, role).await {
        Ok(_) => Ok(context.redirect(Some(&path(org)))),
        Err(error) => {
            let (status, message) = status_and_message(error, context.id)?;
            member_page(context, &live, org, user, status, Some(&message)).await
        }
    }
}

/// Removes a member.
pub async fn remove(context: PageContext, Path(path_ids): MemberPath, body: Body) -> Result<Response, EarlyResponse> {
    let (org, user) = parse_ids(&path_ids)?;
    let Submission { context, live, fields: _, csrf_valid } = context.submission(body, &path(org)).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live, org, user).await;
    }
    context.check_change_limit(&live, ChangeKind::Members).await?;
    match members::remove(&context.app, Principal::User(live.view.user_id), org, user).await {
        Ok(()) if user == live.view.user_id => membership_ended_response(context, &live).await,
        Ok(()) => Ok(context.redirect(Some(&path(org)))),
        Err(error) => {
            let (status, message) = status_and_message(error, context.id)?;
            member_page(context, &live, org, user, status, Some(&message)).await
        }
    }
}

/// Asks for confirmation before leaving.
pub async fn show_leave(context: PageContext, Path(org): Path<String>) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let LoggedIn { context, live } = context.require_login(&format!("{}/leave", path(org))).await?;
    leave_page(context, &live, org, StatusCode::OK, None).await
}

/// Leaves the organization.
pub async fn leave(context: PageContext, Path(org): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let Submission { context, live, fields: _, csrf_valid } = context.submission(body, &path(org)).await?;
    if !csrf_valid {
        return leave_page(context, &live, org, StatusCode::FORBIDDEN, Some(&CSRF_FAILED)).await;
    }
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    match members::leave(&context.app, org, live.view.user_id).await {
        Ok(()) => membership_ended_response(context, &live).await,
        Err(error) => {
            let (status, message) = status_and_message(error, context.id)?;
            leave_page(context, &live, org, status, Some(&message)).await
        }
    }
}

/// Redirects after the user's own membership ended, with an access token for the session's new active organization.
pub(super) async fn membership_ended_response(
    mut context: PageContext,
    live: &LiveSession,
) -> Result<Response, EarlyResponse> {
    let found = async { context.app.store.read().await?.session_find(live.id).await };
    if let Some(row) = found.await.map_err(|error| InternalError::new(error, context.id))? {
        context.reissue_access_token(live, &(&row).into())?;
    }
    Ok(context.redirect(Some("/auth/organizations")))
}

async fn csrf_error_page(
    context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    user: UserId,
) -> Result<Response, EarlyResponse> {
    member_page(context, live, org, user, StatusCode::FORBIDDEN, Some(&CSRF_FAILED)).await
}

/// Returns the user's membership, or the 404 page.
pub(super) async fn membership(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
) -> Result<MembershipView, EarlyResponse> {
    match read::organization(&context.app, org, live.view.user_id).await {
        Ok(membership) => Ok(membership),
        Err(error) => {
            status_and_message(error, context.id)?;
            Err(not_found())
        }
    }
}

async fn member_page(
    mut context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    user: UserId,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let membership = membership(&context, live, org).await?;
    let found = async { context.app.store.read().await?.member_find(org, user).await };
    let row = found.await.map_err(|error| InternalError::new(error, context.id))?.ok_or_else(not_found)?;
    if let Err(refusal) = membership.may_change(row.role) {
        return Ok(refused(context, org, refusal));
    }
    let csrf = context.csrf()?;
    let view = MemberPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        member: member_line(&row, live.view.user_id, &membership),
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}

async fn leave_page(
    mut context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let membership = membership(&context, live, org).await?;
    if let Err(refusal) = membership.require_team() {
        return Ok(refused(context, org, refusal));
    }
    let csrf = context.csrf()?;
    let view = LeaveOrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
