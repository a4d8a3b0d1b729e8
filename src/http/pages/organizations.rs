//! `/auth/organizations`: which there are, another one, and the change of the active one.

use super::submission::{Member, Stop, Submission, id, refusal};
use super::visit::Visit;
use crate::domain::organization::manage;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::Actor;
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::session::Live;
use crate::http::views::{self, Field, OrganizationLine, OrganizationsPage, STALE_FORM, account_sections};
use crate::messages::Message;
use crate::model::ids::OrganizationId;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/organizations";

/// What a form that was refused leaves on the page.
#[derive(Default)]
struct Left {
    status: StatusCode,
    name: String,
    name_error: Option<Message>,
    form_error: Option<Message>,
}

/// Shows the list.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    page(visit, &live, &Fields::default(), Left::default()).await
}

/// Makes a team.
pub async fn create(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    let name = fields.text("name").to_owned();
    if !meant {
        return stale(visit, &live, &fields, name).await;
    }
    let user = live.view.user_id;
    visit.take(RateLimit::NewTeam(user)).await?;
    match manage::create(&visit.app, Actor::User(user), user, &name).await {
        Ok(made) => Ok(visit.redirect(Some(&format!("{PATH}/{}", made.id)))),
        Err(error) => {
            let typed_wrong = matches!(error, OrganizationError::Field(_));
            let (status, sentence) = refusal(error, visit.id)?;
            // Where no teams are made there is no field to stand beside.
            let (name_error, form_error) = if typed_wrong { (Some(sentence), None) } else { (None, Some(sentence)) };
            page(visit, &live, &fields, Left { status, name, name_error, form_error }).await
        }
    }
}

/// Makes an organization the session's active one.
pub async fn switch(visit: Visit, Path(org): Path<String>, body: Body) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Submission { mut visit, live, fields, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live, &fields, String::new()).await;
    }
    let switched = manage::switch(&visit.app, live.view.user_id, live.id, org).await;
    match switched {
        Ok(Some(subject)) => visit.set_access_for(&live, &subject)?,
        Ok(None) => return Err(visit.log_in_first(PATH).into()),
        Err(error) => {
            let (status, sentence) = refusal(error, visit.id)?;
            let left = Left { status, form_error: Some(sentence), ..Left::default() };
            return page(visit, &live, &fields, left).await;
        }
    }
    let return_to = visit.return_to(&fields);
    Ok(visit.redirect(Some(return_to.as_deref().unwrap_or(PATH))))
}

async fn stale(visit: Visit, live: &Live, fields: &Fields, name: String) -> Result<Response, Stop> {
    let form_error = Some(STALE_FORM.clone());
    let left = Left { status: StatusCode::FORBIDDEN, name, form_error, name_error: None };
    page(visit, live, fields, left).await
}

async fn page(mut visit: Visit, live: &Live, fields: &Fields, left: Left) -> Result<Response, Stop> {
    let found = async {
        let mut conn = visit.app.store.read().await?;
        let active = conn.membership_of_session(live.id).await?.map(|active| active.organization_id);
        Ok((conn.memberships_of_user(live.view.user_id).await?, active))
    };
    let found = found.await.map_err(|error: crate::store::StoreError| Fault::new(error, visit.id));
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
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let create = Field { value: &left.name, error: left.name_error.as_ref() };
    let view = OrganizationsPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        sections: &account_sections(PATH),
        organizations: &lines,
        create: manage::may_create(&visit.app).then_some(create),
        form_error: left.form_error.as_ref(),
    };
    let page = views::page(left.status, &view);
    Ok(visit.answer(page))
}
