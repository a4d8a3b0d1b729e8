//! `/auth/organizations`: lists organizations, creates teams and switches the active organization.

use super::organization_refused::{refused, refused_field};
use super::page_context::PageContext;
use super::required::parse_id;
use super::shared_fields::NameFields;
use crate::domain::ending::Commit;
use crate::domain::organization::manage;
use crate::http::form::{FormErrors, FromAnywhere, NoFields};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, OrganizationLine, OrganizationsPage, account_sections};
use crate::model::ids::OrganizationId;
use crate::model::principal::Operation;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::extract::Path;
use axum::response::Response;

const PATH: &str = "/auth/organizations";

/// Shows the list.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

/// Creates a team.
pub async fn create(context: PageContext, submitted: FromAnywhere<NameFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    let user = live.view.user_id;
    context.check_rate_limit(RateLimit::NewTeam(user)).await?;
    match manage::create(&context.app, &context.person(&live), user, &form.name, Commit).await {
        Ok(organization) => Ok(context.redirect(Some(&format!("{PATH}/{}", organization.id)))),
        Err(error) => page(&context, &live, &refused_field(form.again(), "name", error)?).await,
    }
}

/// Switches the session's active organization.
pub async fn switch(
    context: PageContext,
    Path(org): Path<String>,
    submitted: FromAnywhere<NoFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Switches).await?;
    match manage::switch(&context.app, &context.person(&live), live.id, org).await {
        Ok(Some(subject)) => context.reissue_access_token(&live, &subject)?,
        Ok(None) => return Ok(context.redirect_to_login(PATH)),
        Err(error) => return page(&context, &live, &refused(form.again(), error)?).await,
    }
    let return_to = context.return_to(form.typed());
    Ok(context.redirect(Some(return_to.as_deref().unwrap_or(PATH))))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let mut conn =
        context.app.store.read_own(&context.person(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    let active = conn.membership_of_session(live.id).await?.map(|active| active.organization_id);
    let memberships = conn.memberships_of_user(live.view.user_id).await?;
    drop(conn);
    let lines: Vec<OrganizationLine<'_>> = memberships
        .iter()
        .map(|membership| OrganizationLine {
            id: membership.organization_id,
            name: &membership.name,
            kind: membership.kind,
            role: membership.role,
            active: active == Some(membership.organization_id),
        })
        .collect();
    let csrf = context.csrf()?;
    let return_to = context.return_to(errors.typed());
    let view = OrganizationsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        sections: &account_sections(PATH),
        organizations: &lines,
        create: manage::may_create(&context.app).then(|| errors.field("name")),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
