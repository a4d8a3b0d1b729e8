//! `/auth/organizations/{id}/delete`: deletes a team after its name was typed.

use super::organization_lines::{organization_header, path};
use super::organization_members::{membership, membership_ended_response};
use super::organization_refused::page as refused_page;
use super::page_context::PageContext;
use super::required::parse_id;
use super::shared_fields::NameFields;
use crate::domain::organization::delete::delete;
use crate::domain::organization::name::confirmation;
use crate::domain::organization::rules::MembershipView;
use crate::http::form::{FormErrors, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, DeleteOrganizationPage, account_sections};
use crate::messages::Message;
use crate::model::ids::OrganizationId;
use crate::model::organization::MemberRole;
use crate::model::visible::visible_words;
use crate::rate_limit::ChangeKind;
use crate::refusal::Refusal;
use axum::extract::Path;
use axum::response::Response;

pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&format!("{}/delete", path(org))).await?;
    if let Err(refusal) = may_delete(&membership(&context, &live, org).await?) {
        return Err(refused_page(&context, org, refusal));
    }
    page(&context, &live, org, &FormErrors::default()).await
}

pub async fn submit(
    context: PageContext,
    Path(org): Path<String>,
    submitted: Submitted<NameFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let membership = membership(&context, &live, org).await?;
    if let Err(refusal) = may_delete(&membership) {
        return Err(refused_page(&context, org, refusal));
    }
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    if visible_words(&form.name) != confirmation(&membership.organization) {
        let wrong_name = Message::new("organization-delete-wrong-name");
        return page(&context, &live, org, &form.refused_field("name", wrong_name)).await;
    }
    match delete(&context.app, &context.person(&live), org).await {
        Ok(()) => membership_ended_response(&context, &live, "deleted").await,
        Err(error) => page(&context, &live, org, &form.again().refused(error)?).await,
    }
}

/// Only owners of a team see the form.
fn may_delete(membership: &MembershipView) -> Result<(), Refusal> {
    membership.require_team()?;
    membership.require_role(MemberRole::Owner)
}

async fn page(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let membership = membership(context, live, org).await?;
    let csrf = context.csrf()?;
    let view = DeleteOrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        confirmation: &confirmation(&membership.organization),
        typed_name: errors.field("name"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
