//! `/auth/organizations/{id}/invitations…`: made, sent again, taken back.

use super::organization::{Left, Link, page};
use super::organization_lines::path;
use super::organization_members::{NO_SUCH_ROLE, seen};
use super::submission::{Stop, Submission, id, refusal};
use super::visit::Visit;
use crate::domain::organization::invite::{self, Invited, NewInvitation};
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::Actor;
use crate::http::session::Live;
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Invites somebody, and shows the link.
pub async fn create(visit: Visit, Path(org): Path<String>, body: Body) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Submission { visit, live, fields, meant } = visit.submission(body, &path(org)).await?;
    let email = fields.text("email").to_owned();
    // A form without the choice asks for the least.
    let chosen = fields.get("role").map_or(Some(MemberRole::Member), MemberRole::parse);
    let role = chosen.unwrap_or(MemberRole::Member);
    if !meant {
        return page(visit, &live, org, Left { email, role, ..Left::stale() }).await;
    }
    if chosen.is_none() {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        let left = Left { status, email, role, role_error: Some(&NO_SUCH_ROLE), ..Left::default() };
        return page(visit, &live, org, left).await;
    }
    invite(visit, &live, org, &email, role).await
}

async fn invite(
    visit: Visit,
    live: &Live,
    org: OrganizationId,
    email: &str,
    role: MemberRole,
) -> Result<Response, Stop> {
    take_one(&visit, live, org).await?;
    // Metadata is for operators alone: applications derive rights from it.
    let new = NewInvitation { email, role, metadata: Metadata::default(), locale: visit.language.locale };
    match invite::invite(&visit.app, Actor::User(live.view.user_id), org, new).await {
        Ok(invited) => show_link(visit, live, org, invited).await,
        Err(OrganizationError::Field(sentence)) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            let email = email.to_owned();
            page(visit, live, org, Left { status, email, role, email_error: Some(sentence), ..Left::default() }).await
        }
        Err(error) => {
            let left = Left { email: email.to_owned(), role, ..Left::refused(refusal(error, visit.id)?) };
            page(visit, live, org, left).await
        }
    }
}

/// Makes another link for an invitation, and shows it.
pub async fn resend(visit: Visit, Path(ids): Path<(String, String)>, body: Body) -> Result<Response, Stop> {
    let (org, invitation) = (OrganizationId(id(&ids.0)?), InvitationId(id(&ids.1)?));
    let Submission { visit, live, fields: _, meant } = visit.submission(body, &path(org)).await?;
    if !meant {
        return page(visit, &live, org, Left::stale()).await;
    }
    take_one(&visit, &live, org).await?;
    match invite::resend(&visit.app, Actor::User(live.view.user_id), org, invitation, visit.language.locale).await {
        Ok(invited) => show_link(visit, &live, org, invited).await,
        Err(error) => {
            let left = Left::refused(refusal(error, visit.id)?);
            page(visit, &live, org, left).await
        }
    }
}

/// Takes an invitation back.
pub async fn revoke(visit: Visit, Path(ids): Path<(String, String)>, body: Body) -> Result<Response, Stop> {
    let (org, invitation) = (OrganizationId(id(&ids.0)?), InvitationId(id(&ids.1)?));
    let Submission { visit, live, fields: _, meant } = visit.submission(body, &path(org)).await?;
    if !meant {
        return page(visit, &live, org, Left::stale()).await;
    }
    match invite::revoke(&visit.app, Actor::User(live.view.user_id), org, invitation).await {
        Ok(()) => Ok(visit.redirect(Some(&path(org)))),
        Err(error) => {
            let left = Left::refused(refusal(error, visit.id)?);
            page(visit, &live, org, left).await
        }
    }
}

/// Takes what a link costs, from the one who asks and from the organization: only where they may ask at all, as others
/// must not use up what is the organization's.
async fn take_one(visit: &Visit, live: &Live, org: OrganizationId) -> Result<(), Stop> {
    let seen = seen(visit, live, org).await?;
    if seen.must_be_team().and_then(|()| seen.must_have(MemberRole::Admin)).is_ok() {
        visit.take(RateLimit::InviteBy(live.view.user_id)).await?;
        visit.take(RateLimit::InviteTo(org)).await?;
    }
    Ok(())
}

/// Not a redirect: the link is nowhere to be found again.
async fn show_link(visit: Visit, live: &Live, org: OrganizationId, invited: Invited) -> Result<Response, Stop> {
    let url = invited.link(&visit.app);
    let mailed = visit.app.settings.mail.smtp.is_some();
    let link = Link { email: invited.invitation.email, url, expires_at: invited.invitation.expires_at, mailed };
    page(visit, live, org, Left { link: Some(link), ..Left::default() }).await
}
