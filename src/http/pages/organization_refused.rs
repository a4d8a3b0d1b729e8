//! What somebody sees who may not do something in an organization that they may see.

use super::organization_lines::path;
use super::visit::Visit;
use crate::domain::organization::refusal::Refusal;
use crate::http::views::{self, Link, MessagePage};
use crate::messages::Key;
use crate::model::ids::OrganizationId;
use axum::http::StatusCode;
use axum::response::Response;

/// Says why not, and leads back to the organization.
pub(super) fn page(visit: Visit, org: OrganizationId, refusal: Refusal) -> Response {
    let view = MessagePage {
        chrome: visit.chrome(),
        heading: Key("error-forbidden"),
        paragraphs: &[refusal.message()],
        next: Some(Link { href: &path(org), label: Key("organization-back") }),
    };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    visit.answer(page)
}
