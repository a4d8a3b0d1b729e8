//! The 403 page for a member who lacks permission.

use super::organization_lines::path;
use super::page_context::PageContext;
use crate::domain::organization::refusal::Refusal;
use crate::http::views::{self, Link, MessagePage};
use crate::messages::Key;
use crate::model::ids::OrganizationId;
use axum::http::StatusCode;
use axum::response::Response;

/// Says why the request is refused and links back to the organization.
pub(super) fn page(context: PageContext, org: OrganizationId, refusal: Refusal) -> Response {
    let view = MessagePage {
        layout: context.layout(),
        heading: Key("error-forbidden"),
        paragraphs: &[refusal.message()],
        next: Some(Link { href: &path(org), label: Key("organization-back") }),
    };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    context.respond(page)
}
