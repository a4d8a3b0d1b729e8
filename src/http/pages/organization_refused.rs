//! The page for a member whom a rule of organizations refuses something.

use super::organization_lines::path;
use super::page_context::PageContext;
use crate::http::page_error::PageError;
use crate::http::views::{self, Link, MessagePage};
use crate::messages::Key;
use crate::model::ids::OrganizationId;
use crate::refusal::{ChangeError, Refusal};
use axum::http::StatusCode;

/// The 403 page for a member who lacks permission, with a link back to the organization.
pub(super) fn page(context: &PageContext, org: OrganizationId, refusal: Refusal) -> PageError {
    page_with_status(context, org, refusal, StatusCode::FORBIDDEN)
}

/// The same of a form that answers with another status.
pub(super) fn page_with_status(
    context: &PageContext,
    org: OrganizationId,
    refusal: Refusal,
    status: StatusCode,
) -> PageError {
    let Refusal::Rule(_, message) = refusal else { return ChangeError::from(refusal).into() };
    let viewer = context.viewer();
    let view = MessagePage {
        layout: context.layout().seen_by(viewer.as_deref()),
        heading: Key("error-forbidden"),
        paragraphs: &[message],
        next: Some(Link { href: &path(org), label: Key("organization-back") }),
    };
    views::page(status, &view).into()
}
