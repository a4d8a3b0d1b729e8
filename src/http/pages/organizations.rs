//! `/auth/organizations`: lists organizations, creates teams and switches the active organization.

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, parse_id, status_and_message};
use crate::domain::organization::manage;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::Principal;
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, Field, OrganizationLine, OrganizationsPage, account_sections};
use crate::messages::Message;
use crate::model::ids::OrganizationId;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/organizations";

/// The state of the form: the submitted value and errors.
#[derive(Default)]
struct ListFormState {
    status: StatusCode,
    name: String,
    name_error: Option<Message>,
    form_error: Option<Message>,
}

/// Shows the list.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    page(context, &live, &Fields::default(), ListFormState::default()).await
}

/// Creates a team.
pub async fn create(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    let name = fields.text("name").to_owned();
    if !csrf_valid {
        return csrf_error_page(context, &live, &fields, name).await;
    }
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    let user = live.view.user_id;
    context.check_rate_limit(RateLimit::NewTeam(user)).await?;
    match manage::create(&context.app, Principal::User(user), user, &name).await {
        Ok(organization) => Ok(context.redirect(Some(&format!("{PATH}/{}", organization.id)))),
        Err(error) => {
            let is_field_error = matches!(error, OrganizationError::Field(_));
            let (status, message) = status_and_message(error, context.id)?;
            // Where teams cannot be created, there is no field for the error.
            let (name_error, form_error) = if is_field_error { (Some(message), None) } else { (None, Some(message)) };
            page(context, &live, &fields, ListFormState { status, name, name_error, form_error }).await
        }
    }
}

/// Switches the session's active organization.
pub async fn switch(context: PageContext, Path(org): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let Submission { mut context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live, &fields, String::new()).await;
    }
    context.check_change_limit(&live, ChangeKind::Switches).await?;
    let switched = manage::switch(&context.app, live.view.user_id, live.id, org).await;
    match switched {
        Ok(Some(subject)) => context.reissue_access_token(&live, &subject)?,
        Ok(None) => return Err(context.redirect_to_login(PATH).into()),
        Err(error) => {
            let (status, message) = status_and_message(error, context.id)?;
            let form = ListFormState { status, form_error: Some(message), ..ListFormState::default() };
            return page(context, &live, &fields, form).await;
        }
    }
    let return_to = context.return_to(&fields);
    Ok(context.redirect(Some(return_to.as_deref().unwrap_or(PATH))))
}

async fn csrf_error_page(
    context: PageContext,
    live: &LiveSession,
    fields: &Fields,
    name: String,
) -> Result<Response, EarlyResponse> {
    let form_error = Some(CSRF_FAILED.clone());
    let form = ListFormState { status: StatusCode::FORBIDDEN, name, form_error, name_error: None };
    page(context, live, fields, form).await
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    fields: &Fields,
    form: ListFormState,
) -> Result<Response, EarlyResponse> {
    let found = async {
        let mut conn = context.app.store.read().await?;
        let active = conn.membership_of_session(live.id).await?.map(|active| active.organization_id);
        Ok((conn.memberships_of_user(live.view.user_id).await?, active))
    };
    let found = found.await.map_err(|error: crate::store::StoreError| InternalError::new(error, context.id));
    let (memberships, active) = found?;
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
    let return_to = context.return_to(fields);
    let create = Field { value: &form.name, error: form.name_error.as_ref() };
    let view = OrganizationsPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        sections: &account_sections(PATH),
        organizations: &lines,
        create: manage::may_create(&context.app).then_some(create),
        form_error: form.form_error.as_ref(),
    };
    let page = views::page(form.status, &view);
    Ok(context.respond(page))
}
