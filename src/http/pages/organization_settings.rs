//! `/auth/organizations/{id}/settings`: its name, and the ways out of it.

use super::organization_lines::{done_notice, organization_head, path};
use super::organization_members::membership;
use super::page_context::PageContext;
use super::required::parse_id;
use super::shared_fields::NameFields;
use crate::domain::ending::Commit;
use crate::domain::organization::manage;
use crate::domain::organization::rules::MembershipView;
use crate::http::form::{FormErrors, FromAnywhere};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, OrganizationSettingsPage, OrganizationTab, account_sections};
use crate::model::ids::OrganizationId;
use crate::rate_limit::ChangeKind;
use axum::extract::Path;
use axum::response::Response;

pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&settings_path(org)).await?;
    page(&context, &live, &membership(&context, &live, org).await?, &FormErrors::default()).await
}

pub async fn rename(
    context: PageContext,
    Path(org): Path<String>,
    submitted: FromAnywhere<NameFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &membership(&context, &live, org).await?, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    match manage::rename(&context.app, &context.person(&live), org, Some(&form.name), Commit).await {
        Ok(_) => Ok(context.redirect(Some(&format!("{}?done=renamed", settings_path(org))))),
        Err(error) => {
            let errors = form.again().refused(error)?;
            page(&context, &live, &membership(&context, &live, org).await?, &errors).await
        }
    }
}

fn settings_path(org: OrganizationId) -> String {
    format!("{}/settings", path(org))
}

/// The page with what was typed and what was wrong.
pub(super) async fn page(
    context: &PageContext,
    live: &LiveSession,
    membership: &MembershipView,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let head = organization_head(context, live, membership, OrganizationTab::Settings).await?;
    let csrf = context.csrf()?;
    let done = [("renamed", "organization-renamed"), ("switched", "organization-switched")];
    let notice = done_notice(context, &done, (membership.organization.kind, &membership.organization.name));
    let view = OrganizationSettingsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        head,
        notice: notice.as_ref().filter(|_| errors.form().is_none()),
        rename: errors.field_or("name", &membership.organization.name),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
