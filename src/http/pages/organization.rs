//! `/auth/organizations/{id}`: members, invitations, name.

use super::organization_lines::member_line;
use super::organization_lines::path;
use super::organization_lines::place;
use super::submission::{Member, Stop, Submission, id, refusal};
use super::visit::Visit;
use crate::domain::organization::manage;
use crate::domain::organization::read::{self, MembersPage};
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::{Actor, Seen};
use crate::http::session::Live;
use crate::http::views::{
    self, Field, InvitationLine, Invitations, MemberLine, NewLink, OrganizationPage, STALE_FORM, account_sections,
};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{InvitationState, MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::settings::OrgMode;
use crate::store::InvitationRow;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// What a form leaves on the page: what was typed, what is wrong, the link that was made.
pub(super) struct Left {
    pub(super) status: StatusCode,
    pub(super) form_error: Option<Message>,
    pub(super) name: Option<String>,
    pub(super) name_error: Option<Message>,
    pub(super) email: String,
    pub(super) email_error: Option<Message>,
    pub(super) role: MemberRole,
    pub(super) role_error: Option<&'static Message>,
    pub(super) link: Option<Link>,
}

/// A link to be shown once.
pub(super) struct Link {
    pub(super) email: String,
    pub(super) url: String,
    pub(super) expires_at: Time,
    pub(super) mailed: bool,
}

impl Default for Left {
    fn default() -> Self {
        Self {
            status: StatusCode::OK,
            form_error: None,
            name: None,
            name_error: None,
            email: String::new(),
            email_error: None,
            role: MemberRole::Member,
            role_error: None,
            link: None,
        }
    }
}

impl Left {
    /// After a form that was not meant.
    pub(super) fn stale() -> Self {
        Self { status: StatusCode::FORBIDDEN, form_error: Some(STALE_FORM.clone()), ..Self::default() }
    }

    /// After something that was refused.
    pub(super) fn refused((status, sentence): (StatusCode, Message)) -> Self {
        Self { status, form_error: Some(sentence), ..Self::default() }
    }
}

/// Shows the organization.
pub async fn show(visit: Visit, Path(org): Path<String>) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Member { visit, live } = visit.member(&path(org)).await?;
    page(visit, &live, org, Left::default()).await
}

/// Renames the organization.
pub async fn rename(visit: Visit, Path(org): Path<String>, body: Body) -> Result<Response, Stop> {
    let org = OrganizationId(id(&org)?);
    let Submission { visit, live, fields, meant } = visit.submission(body, &path(org)).await?;
    let name = fields.text("name").to_owned();
    if !meant {
        return page(visit, &live, org, Left { name: Some(name), ..Left::stale() }).await;
    }
    match manage::rename(&visit.app, Actor::User(live.view.user_id), org, &name).await {
        Ok(_) => Ok(visit.redirect(Some(&path(org)))),
        Err(OrganizationError::Field(sentence)) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            let left = Left { status, name: Some(name), name_error: Some(sentence), ..Left::default() };
            page(visit, &live, org, left).await
        }
        Err(error) => {
            let left = Left::refused(refusal(error, visit.id)?);
            page(visit, &live, org, left).await
        }
    }
}

/// The page with what a form left on it.
pub(super) async fn page(mut visit: Visit, live: &Live, org: OrganizationId, left: Left) -> Result<Response, Stop> {
    let viewer = live.view.user_id;
    let loaded = load(&visit, org, viewer).await;
    let (seen, members, invitations) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            refusal(error, visit.id)?;
            return Err(super::submission::not_found());
        }
    };
    let csrf = visit.csrf()?;
    let now = visit.app.clock.now();
    let lines: Vec<MemberLine<'_>> = members.members.iter().map(|row| member_line(row, viewer, &seen)).collect();
    let pending: Option<Vec<InvitationLine<'_>>> =
        invitations.as_ref().map(|rows| rows.iter().map(|row| invitation_line(row, now, &seen)).collect());
    let place = place(&seen);
    let view = OrganizationPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: place,
        members: &lines,
        search: visit.query.text("search").trim(),
        continued: visit.query.get("after").is_some(),
        next: members.next,
        invitations: pending.as_deref().map(|pending| Invitations {
            pending,
            email: Field { value: &left.email, error: left.email_error.as_ref() },
            role: left.role,
            role_error: left.role_error,
            link: left.link.as_ref().map(|link| NewLink {
                email: &link.email,
                url: &link.url,
                expires_at: link.expires_at,
                mailed: link.mailed,
            }),
        }),
        rename: Field { value: left.name.as_deref().unwrap_or(place.name), error: left.name_error.as_ref() },
        form_error: left.form_error.as_ref(),
    };
    let page = views::page(left.status, &view);
    Ok(visit.answer(page))
}

type Loaded = (Seen, MembersPage, Option<Vec<InvitationRow>>);

async fn load(visit: &Visit, org: OrganizationId, viewer: UserId) -> Result<Loaded, OrganizationError> {
    let app = &visit.app;
    let seen = read::organization(app, org, viewer).await?;
    let after = visit.query.get("after").and_then(|after| uuid::Uuid::try_parse(after).ok()).map(UserId);
    let members = read::members(app, org, visit.query.text("search"), after).await?;
    let invites = seen.organization.kind == OrganizationKind::Team
        && seen.role >= MemberRole::Admin
        && app.settings.accounts.org_mode != OrgMode::Personal;
    let invitations = if invites { Some(read::invitations(app, org).await?) } else { None };
    Ok((seen, members, invitations))
}

fn invitation_line<'a>(row: &'a InvitationRow, now: Time, seen: &Seen) -> InvitationLine<'a> {
    InvitationLine {
        id: row.id,
        email: &row.email,
        role: row.role,
        expires_at: row.expires_at,
        expired: row.state_at(now) == InvitationState::Expired,
        changeable: seen.may_change(row.role).is_ok(),
    }
}
