//! What pages of organizations say when something is refused.

use super::organization_lines::path;
use super::page_context::PageContext;
use crate::domain::organization::refusal::{OrganizationError, Refusal};
use crate::domain::organization::rules::MembershipView;
use crate::http::form::FormErrors;
use crate::http::page_error::PageError;
use crate::http::views::{self, Link, MessagePage, Problem};
use crate::messages::Key;
use crate::model::ids::OrganizationId;
use crate::model::organization::MemberRole;
use crate::settings::OrgMode;
use axum::http::StatusCode;
use axum::response::Response;

/// The 403 page for a member who lacks permission, with a link back to the organization.
pub(super) fn page(context: &PageContext, org: OrganizationId, refusal: Refusal) -> Response {
    page_with_status(context, org, refusal, StatusCode::FORBIDDEN)
}

/// The same of a form that answers with another status.
pub(super) fn page_with_status(
    context: &PageContext,
    org: OrganizationId,
    refusal: Refusal,
    status: StatusCode,
) -> Response {
    let viewer = context.viewer();
    let view = MessagePage {
        layout: context.layout().seen_by(viewer.as_deref()),
        heading: Key("error-forbidden"),
        paragraphs: &[refusal.message()],
        next: Some(Link { href: &path(org), label: Key("organization-back") }),
    };
    views::page(status, &view)
}

/// Whether the member may invite, and see who is invited.
pub(super) fn may_invite(context: &PageContext, membership: &MembershipView) -> Result<(), Refusal> {
    membership.require_team()?;
    membership.require_role(MemberRole::Admin)?;
    let is_personal = context.app.settings.accounts.org_mode == OrgMode::Personal;
    if is_personal { Err(Refusal::NoInvitations) } else { Ok(()) }
}

/// What a form says of a refused operation. What no form can say has a page of its own.
pub(super) fn refused(again: FormErrors, error: OrganizationError) -> Result<FormErrors, PageError> {
    match error {
        OrganizationError::Refused(refusal) => Ok(again.and_form(refusal.message()).with_status(status(refusal))),
        OrganizationError::Field(message) => Ok(again.and_form(message)),
        other => Err(other.into()),
    }
}

/// The same of a form with a field that may be wrong.
pub(super) fn refused_field(
    again: FormErrors,
    name: &'static str,
    error: OrganizationError,
) -> Result<FormErrors, PageError> {
    match error {
        OrganizationError::Field(message) => Ok(again.and_field(name, message)),
        OrganizationError::Refused(refusal @ Refusal::AlreadyMember) => Ok(again.and_field(name, refusal.message())),
        other => refused(again, other),
    }
}

fn status(refusal: Refusal) -> StatusCode {
    match refusal {
        Refusal::NotPermitted | Refusal::AboveOwnRole | Refusal::Personal | Refusal::Unverified => {
            StatusCode::FORBIDDEN
        }
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// For a page that has no form to say it.
impl From<OrganizationError> for PageError {
    fn from(error: OrganizationError) -> Self {
        match error {
            OrganizationError::Failed(error) => error.into(),
            OrganizationError::TooSoon(retry_after) => Problem::TooManyRequests { retry_after }.into(),
            OrganizationError::NotFound(_)
            | OrganizationError::Refused(_)
            | OrganizationError::Protected
            | OrganizationError::Field(_) => Problem::NotFound.into(),
        }
    }
}
