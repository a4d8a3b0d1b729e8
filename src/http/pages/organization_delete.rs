//! `/auth/organizations/{id}/delete`: the end of a team, after its name was typed.

use super::organization_lines::{path, place};
use super::organization_members::{gone, seen};
use super::organization_refused::page as refused;
use super::submission::{Member, Stop, Submission, id, refusal};
use super::visit::Visit;
use crate::domain::organization::delete::delete;
use crate::domain::organization::refusal::Refusal;
use crate::domain::organization::rules::{Actor, Seen};
use crate::http::session::Live;
use crate::http::views::{self, DeleteOrganizationPage, Field, STALE_FORM, account_sections};
use crate::messages::Message;
use crate::model::ids::OrganizationId;
use crate::model::organization::MemberRole;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Asks whether to delete.
pub async fn show(visit: Visit, Path(org): Path<String>) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Member { visit, live } = visit.member(&format!("{}/delete", path(org))).await?;
    if let Err(refusal) = may_delete(&seen(&visit, &live, org).await?) {
        return Ok(refused(visit, org, refusal));
    }
    page(visit, &live, org, StatusCode::OK, Field::default(), None).await
}

/// Deletes.
pub async fn submit(visit: Visit, Path(org): Path<String>, body: Body) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Submission { visit, live, fields, meant } = visit.submission(body, &path(org)).await?;
    let typed = Field { value: fields.text("name"), error: None };
    let seen = seen(&visit, &live, org).await?;
    if let Err(refusal) = may_delete(&seen) {
        return Ok(refused(visit, org, refusal));
    }
    if !meant {
        return page(visit, &live, org, StatusCode::FORBIDDEN, typed, Some(&STALE_FORM)).await;
    }
    if !is_name(&seen.organization.name, typed.value) {
        let typed = Field { error: Some(&Message::new("organization-delete-wrong-name")), ..typed };
        return page(visit, &live, org, StatusCode::UNPROCESSABLE_ENTITY, typed, None).await;
    }
    match delete(&visit.app, Actor::User(live.view.user_id), org).await {
        Ok(()) => gone(visit, &live).await,
        Err(error) => {
            let (status, sentence) = refusal(error, visit.id)?;
            page(visit, &live, org, status, typed, Some(&sentence)).await
        }
    }
}

/// The form is for those alone whom it can serve.
fn may_delete(seen: &Seen) -> Result<(), Refusal> {
    seen.must_be_team()?;
    seen.must_have(MemberRole::Owner)
}

/// Blanks around and between words do not matter.
fn is_name(name: &str, typed: &str) -> bool {
    name.split_whitespace().eq(typed.split_whitespace())
}

async fn page(
    mut visit: Visit,
    live: &Live,
    org: OrganizationId,
    status: StatusCode,
    typed: Field<'_>,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let seen = seen(&visit, live, org).await?;
    let csrf = visit.csrf()?;
    let view = DeleteOrganizationPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: place(&seen),
        typed,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
