//! `/auth/organizations/{id}`: members, invitations and name (docs/protocol.md 11).

use super::organization_lines::member_line;
use super::organization_lines::organization_header;
use super::organization_lines::path;
use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, parse_id, status_and_message};
use crate::domain::organization::invite;
use crate::domain::organization::manage;
use crate::domain::organization::read::{self, MembersPage};
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::{MembershipView, Principal};
use crate::http::request_id::RequestId;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, CSRF_FAILED, Field, InvitationLine, Invitations, MemberLine, NewInvitationLink, OrganizationPage,
    account_sections,
};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{InvitationState, MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::rate_limit::ChangeKind;
use crate::settings::OrgMode;
use crate::store::InvitationRow;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// The state of the forms: submitted values, errors and a new invitation link.
pub(super) struct FormState {
    pub(super) status: StatusCode,
    pub(super) form_error: Option<Message>,
    pub(super) name: Option<String>,
    pub(super) name_error: Option<Message>,
    pub(super) email: String,
    pub(super) email_error: Option<Message>,
    pub(super) role: MemberRole,
    pub(super) role_error: Option<&'static Message>,
    pub(super) link: Option<InvitationLink>,
}

/// An invitation link, shown once.
pub(super) struct InvitationLink {
    pub(super) email: String,
    pub(super) url: String,
    pub(super) expires_at: Time,
    pub(super) mailed: bool,
}

impl Default for FormState {
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

impl FormState {
    /// After a failed CSRF check.
    pub(super) fn csrf_invalid() -> Self {
        Self { status: StatusCode::FORBIDDEN, form_error: Some(CSRF_FAILED.clone()), ..Self::default() }
    }

    /// After a refused operation; 404 and internal errors become early responses.
    pub(super) fn from_error(error: OrganizationError, request_id: RequestId) -> Result<Self, EarlyResponse> {
        let (status, message) = status_and_message(error, request_id)?;
        Ok(Self { status, form_error: Some(message), ..Self::default() })
    }
}

/// Shows the organization.
pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let LoggedIn { context, live } = context.require_login(&path(org)).await?;
    page(context, &live, org, FormState::default()).await
}

/// Renames the organization.
pub async fn rename(context: PageContext, Path(org): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let org = OrganizationId(parse_id(&org)?);
    let Submission { context, live, fields, csrf_valid } = context.submission(body, &path(org)).await?;
    let name = fields.text("name").to_owned();
    if !csrf_valid {
        return page(context, &live, org, FormState { name: Some(name), ..FormState::csrf_invalid() }).await;
    }
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    match manage::rename(&context.app, Principal::User(live.view.user_id), org, &name).await {
        Ok(_) => Ok(context.redirect(Some(&path(org)))),
        Err(OrganizationError::Field(message)) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            let form = FormState { status, name: Some(name), name_error: Some(message), ..FormState::default() };
            page(context, &live, org, form).await
        }
        Err(error) => {
            let form = FormState::from_error(error, context.id)?;
            page(context, &live, org, form).await
        }
    }
}

/// The page with the state of its forms.
pub(super) async fn page(
    mut context: PageContext,
    live: &LiveSession,
    org: OrganizationId,
    form: FormState,
) -> Result<Response, EarlyResponse> {
    let viewer = live.view.user_id;
    let data = load(&context, org, viewer).await;
    let (membership, members, invitations) = match data {
        Ok(data) => data,
        Err(error) => {
            status_and_message(error, context.id)?;
            return Err(super::submission::not_found());
        }
    };
    let csrf = context.csrf()?;
    let now = context.app.clock.now();
    let lines: Vec<MemberLine<'_>> = members.members.iter().map(|row| member_line(row, viewer, &membership)).collect();
    let must_verify = invitations.as_ref().is_some_and(|invitations| invitations.must_verify);
    let pending: Option<Vec<InvitationLine<'_>>> = invitations
        .as_ref()
        .map(|invitations| invitations.rows.iter().map(|row| invitation_line(row, now, &membership)).collect());
    let header = organization_header(&membership);
    let view = OrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: header,
        members: &lines,
        search: context.query.text("search").trim(),
        has_previous_page: context.query.get("after").is_some(),
        next: members.next,
        invitations: pending.as_deref().map(|pending| invitation_section(pending, must_verify, &form)),
        rename: Field { value: form.name.as_deref().unwrap_or(header.name), error: form.name_error.as_ref() },
        form_error: form.form_error.as_ref(),
    };
    let page = views::page(form.status, &view);
    Ok(context.respond(page))
}

/// The pending invitations, with the form that creates one.
fn invitation_section<'a>(
    pending: &'a [InvitationLine<'a>],
    must_verify: bool,
    form: &'a FormState,
) -> Invitations<'a> {
    Invitations {
        pending,
        must_verify,
        email: Field { value: &form.email, error: form.email_error.as_ref() },
        role: form.role,
        role_error: form.role_error,
        link: form.link.as_ref().map(|link| NewInvitationLink {
            email: &link.email,
            url: &link.url,
            expires_at: link.expires_at,
            mailed: link.mailed,
        }),
    }
}

type PageData = (MembershipView, MembersPage, Option<InvitationData>);

/// The invitations of an organization, for those who may invite.
struct InvitationData {
    rows: Vec<InvitationRow>,
    must_verify: bool,
}

async fn load(context: &PageContext, org: OrganizationId, viewer: UserId) -> Result<PageData, OrganizationError> {
    let app = &context.app;
    let membership = read::organization(app, org, viewer).await?;
    let after = context.query.get("after").and_then(|after| uuid::Uuid::try_parse(after).ok()).map(UserId);
    let members = read::members(app, org, context.query.text("search"), after).await?;
    let may_invite = membership.organization.kind == OrganizationKind::Team
        && membership.role >= MemberRole::Admin
        && app.settings.accounts.org_mode != OrgMode::Personal;
    if !may_invite {
        return Ok((membership, members, None));
    }
    let must_verify = invite::must_verify(app, viewer).await?;
    let invitations = InvitationData { rows: read::invitations(app, org).await?, must_verify };
    Ok((membership, members, Some(invitations)))
}

fn invitation_line<'a>(row: &'a InvitationRow, now: Time, membership: &MembershipView) -> InvitationLine<'a> {
    InvitationLine {
        id: row.id,
        email: &row.email,
        role: row.role,
        expires_at: row.expires_at,
        expired: row.state_at(now) == InvitationState::Expired,
        changeable: membership.may_change(row.role).is_ok(),
    }
}
