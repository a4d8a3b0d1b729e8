//! `/auth/organizations/{id}/delete`: deletes a team after its name was typed.

use super::organization_lines::{organization_header, path};
use super::organization_members::{membership, membership_ended_response};
use super::organization_refused::page as refused;
use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, parse_id, status_and_message};
use crate::domain::organization::delete::delete;
use crate::domain::organization::name::confirmation;
use crate::domain::organization::refusal::Refusal;
use crate::domain::organization::rules::{MembershipView, Principal};
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, DeleteOrganizationPage, Field, account_sections};
use crate::messages::Message;
use crate::model::ids::OrganizationId;
use crate::model::organization::MemberRole;
use crate::model::visible::visible_words;
use crate::rate_limit::ChangeKind;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Asks for confirmation.
pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let LoggedIn { context, live } = context.require_login(&format!("{}/delete", path(org))).await?;
    if let Err(refusal) = may_delete(&membership(&context, &live, org).await?) {
        return Ok(refused(context, org, refusal));
    }
    page(context, &live, org, StatusCode::OK, Field::default(), None).await
}

/// Deletes the team.
pub async fn submit(context: PageContext, Path(org): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let Submission { context, live, fields, csrf_valid } = context.submission(body, &path(org)).await?;
    let typed = Field { value: fields.text("name"), error: None };
    let membership = membership(&context, &live, org).await?;
    if let Err(refusal) = may_delete(&membership) {
        return Ok(refused(context, org, refusal));
    }
    if !csrf_valid {
        return page(context, &live, org, StatusCode::FORBIDDEN, typed, Some(&CSRF_FAILED)).await;
    }
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    if visible_words(typed.value) != confirmation(&membership.organization) {
        let typed = Field { error: Some(&Message::new("organization-delete-wrong-name")), ..typed };
        return page(context, &live, org, StatusCode::UNPROCESSABLE_ENTITY, typed, None).await;
    }
    match delete(&context.app, Principal::User(live.view.user_id), org).await {
        Ok(()) => membership_ended_response(context, &live).await,
        Err(error) => {
            let (status, message) = status_and_message(error, context.id)?;
            page(context, &live, org, status, typed, Some(&message)).await
        }
    }
}

/// Only owners of a team see the form.
fn may_delete(membership: &MembershipView) -> Result<(), Refusal> {
    membership.require_team()?;
    membership.require_role(MemberRole::Owner)
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    status: StatusCode,
    typed: Field<'_>,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let membership = membership(&context, live, org).await?;
    let csrf = context.csrf()?;
    let view = DeleteOrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        confirmation: &confirmation(&membership.organization),
        typed_name: typed,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
