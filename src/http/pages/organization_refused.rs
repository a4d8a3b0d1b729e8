//! What somebody sees who may not do something in an organization that they may see.

use super::organization::path;
use super::visit::Visit;
use crate::domain::ids::OrganizationId;
use crate::domain::organizations::Refusal;
use crate::http::views::{self, Chrome, Link, MessagePage};
use axum::http::StatusCode;
use axum::response::Response;

/// Says why not, and leads back to the organization.
pub(super) fn page(visit: Visit, org: OrganizationId, refusal: Refusal) -> Response {
    let view = MessagePage {
        chrome: Chrome::new(),
        heading: "You cannot do this",
        paragraphs: &[&refusal.to_string()],
        next: Some(Link { href: &path(org), label: "Back to the organization" }),
    };
    visit.answer(views::page(StatusCode::FORBIDDEN, &view))
}
