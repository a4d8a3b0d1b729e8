//! `/auth/organizations/{id}/members/{user}` and `/leave`: roles, and the end of memberships.

use super::organization_lines::{member_line, path, place};
use super::organization_refused::page as refused;
use super::submission::{Member, Stop, Submission, id, not_found, refusal};
use super::visit::Visit;
use crate::domain::organization::rules::{Actor, Seen};
use crate::domain::organization::{members, read};
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, LeaveOrganizationPage, MemberPage, STALE_FORM, account_sections};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

type Ids = Path<(String, String)>;

/// Beside the choice of a role, when it was none of those to choose from.
pub(super) static NO_SUCH_ROLE: Message = Message::new("role-missing");

fn ids(ids: &(String, String)) -> Result<(OrganizationId, UserId), Stop> {
    Ok((OrganizationId(id(&ids.0)?), UserId(id(&ids.1)?)))
}

/// Shows one member, to somebody who may change them.
pub async fn show(visit: Visit, Path(path_ids): Ids) -> Result<Response, Stop> {
    let (org, user) = ids(&path_ids)?;
    let Member { visit, live } = visit.member(&format!("{}/members/{user}", path(org))).await?;
    member_page(visit, &live, (org, user), (StatusCode::OK, None)).await
}

/// Changes a member's role.
pub async fn set_role(visit: Visit, Path(path_ids): Ids, body: Body) -> Result<Response, Stop> {
    let (org, user) = ids(&path_ids)?;
    let Submission { visit, live, fields, meant } = visit.submission(body, &path(org)).await?;
    if !meant {
        return stale(visit, &live, (org, user)).await;
    }
    let Some(role) = MemberRole::parse(fields.text("role")) else {
        return member_page(visit, &live, (org, user), (StatusCode::UNPROCESSABLE_ENTITY, Some(&NO_SUCH_ROLE))).await;
    };
    match members::set_role(&visit.app, Actor::User(live.view.user_id), org, user, role).await {
        Ok(_) => Ok(visit.redirect(Some(&path(org)))),
        Err(error) => {
            let (status, sentence) = refusal(error, visit.id)?;
            member_page(visit, &live, (org, user), (status, Some(&sentence))).await
        }
    }
}

/// Ends a membership.
pub async fn remove(visit: Visit, Path(path_ids): Ids, body: Body) -> Result<Response, Stop> {
    let (org, user) = ids(&path_ids)?;
    let Submission { visit, live, fields: _, meant } = visit.submission(body, &path(org)).await?;
    if !meant {
        return stale(visit, &live, (org, user)).await;
    }
    match members::remove(&visit.app, Actor::User(live.view.user_id), org, user).await {
        Ok(()) if user == live.view.user_id => gone(visit, &live).await,
        Ok(()) => Ok(visit.redirect(Some(&path(org)))),
        Err(error) => {
            let (status, sentence) = refusal(error, visit.id)?;
            member_page(visit, &live, (org, user), (status, Some(&sentence))).await
        }
    }
}

/// Asks whether to leave.
pub async fn ask_to_leave(visit: Visit, Path(org): Path<String>) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Member { visit, live } = visit.member(&format!("{}/leave", path(org))).await?;
    leave_page(visit, &live, org, (StatusCode::OK, None)).await
}

/// Leaves.
pub async fn leave(visit: Visit, Path(org): Path<String>, body: Body) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Submission { visit, live, fields: _, meant } = visit.submission(body, &path(org)).await?;
    if !meant {
        return leave_page(visit, &live, org, (StatusCode::FORBIDDEN, Some(&STALE_FORM))).await;
    }
    match members::leave(&visit.app, org, live.view.user_id).await {
        Ok(()) => gone(visit, &live).await,
        Err(error) => {
            let (status, sentence) = refusal(error, visit.id)?;
            leave_page(visit, &live, org, (status, Some(&sentence))).await
        }
    }
}

/// After one's own membership ended: the session may be in another organization now, and its token must say so.
pub(super) async fn gone(mut visit: Visit, live: &Live) -> Result<Response, Stop> {
    let found = async { visit.app.store.read().await?.session_find(live.id).await };
    if let Some(row) = found.await.map_err(|error| Fault::new(error, visit.id))? {
        visit.set_access_for(live, &(&row).into())?;
    }
    Ok(visit.redirect(Some("/auth/organizations")))
}

async fn stale(visit: Visit, live: &Live, ids: (OrganizationId, UserId)) -> Result<Response, Stop> {
    member_page(visit, live, ids, (StatusCode::FORBIDDEN, Some(&STALE_FORM))).await
}

/// The organization, for one of its members.
pub(super) async fn seen(visit: &Visit, live: &Live, org: OrganizationId) -> Result<Seen, Stop> {
    match read::organization(&visit.app, org, live.view.user_id).await {
        Ok(seen) => Ok(seen),
        Err(error) => {
            refusal(error, visit.id)?;
            Err(not_found())
        }
    }
}

async fn member_page(
    mut visit: Visit,
    live: &Live,
    (org, user): (OrganizationId, UserId),
    (status, form_error): (StatusCode, Option<&Message>),
) -> Result<Response, Stop> {
    let seen = seen(&visit, live, org).await?;
    let found = async { visit.app.store.read().await?.member_find(org, user).await };
    let row = found.await.map_err(|error| Fault::new(error, visit.id))?.ok_or_else(not_found)?;
    if let Err(refusal) = seen.may_change(row.role) {
        return Ok(refused(visit, org, refusal));
    }
    let csrf = visit.csrf()?;
    let view = MemberPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: place(&seen),
        member: member_line(&row, live.view.user_id, &seen),
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

async fn leave_page(
    mut visit: Visit,
    live: &Live,
    org: OrganizationId,
    (status, form_error): (StatusCode, Option<&Message>),
) -> Result<Response, Stop> {
    let seen = seen(&visit, live, org).await?;
    if let Err(refusal) = seen.must_be_team() {
        return Ok(refused(visit, org, refusal));
    }
    let csrf = visit.csrf()?;
    let view = LeaveOrganizationPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: place(&seen),
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
