//! `/auth/organizations`: lists organizations, creates teams and switches the active organization.

use super::organization_lines::done_notice;
use super::organization_members::follow_active_organization;
use super::page_context::PageContext;
use super::required::parse_id;
use super::shared_fields::NameFields;
use crate::domain::ending::Commit;
use crate::domain::organization::manage;
use crate::domain::organization::refusals::NO_TEAMS;
use crate::http::form::{FormErrors, FromAnywhere, NoFields};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, NewOrganizationPage, OrganizationLine, OrganizationsPage, account_sections};
use crate::model::ids::OrganizationId;
use crate::model::principal::Operation;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::extract::Path;
use axum::response::Response;

const PATH: &str = "/auth/organizations";
/// Where a switch ends that is not told where to.
const SWITCHED: &str = "/auth/organizations?done=switched";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

/// Shows the form that creates a team.
pub async fn show_new(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(&format!("{PATH}/new")).await?;
    let errors = FormErrors::default();
    if manage::may_create(&context.app) {
        return new_page(&context, &live, &errors).await;
    }
    page(&context, &live, &errors.refused(NO_TEAMS.into())?).await
}

/// Creates a team, in which the session works from then on.
pub async fn create(context: PageContext, submitted: FromAnywhere<NameFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return new_page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    let user = live.view.user_id;
    context.check_rate_limit(RateLimit::NewTeam(user)).await?;
    match manage::create(&context.app, &context.person(&live), user, &form.name, Commit).await {
        Ok(organization) => {
            follow_active_organization(&context, &live).await?;
            Ok(context.redirect(Some(&format!("{PATH}/{}", organization.id))))
        }
        Err(error) => new_page(&context, &live, &form.again().refused(error)?).await,
    }
}

/// The form; where no one may create a team, the list says so.
async fn new_page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    if !manage::may_create(&context.app) {
        return page(context, live, errors).await;
    }
    let csrf = context.csrf()?;
    let view = NewOrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(PATH),
        name: errors.field("name"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

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
        Err(error) => return page(&context, &live, &form.again().refused(error)?).await,
    }
    let return_to = context.return_to(form.typed());
    Ok(context.redirect(Some(return_to.as_deref().unwrap_or(SWITCHED))))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let mut conn =
        context.app.store.read_own(&context.person(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    let active = conn.membership_of_session(live.id).await?;
    let memberships = conn.memberships_of_user_counted(live.view.user_id).await?;
    drop(conn);
    let active_id = active.as_ref().map(|active| active.organization_id);
    let lines: Vec<OrganizationLine<'_>> = memberships
        .iter()
        .map(|membership| OrganizationLine {
            id: membership.organization_id,
            name: &membership.name,
            kind: membership.kind,
            role: membership.role,
            members: membership.members,
            active: active_id == Some(membership.organization_id),
        })
        .collect();
    let csrf = context.csrf()?;
    let return_to = context.return_to(errors.typed());
    let done =
        [("switched", "organization-switched"), ("left", "organization-left"), ("deleted", "organization-deleted")];
    let notice = active.and_then(|active| done_notice(context, &done, (active.kind, &active.name)));
    let view = OrganizationsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        sections: &account_sections(PATH),
        notice: notice.as_ref(),
        organizations: &lines,
        may_create: manage::may_create(&context.app),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
