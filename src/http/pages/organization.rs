//! `/auth/organizations/{id}`: the members (docs/reference/browser.md 11). A personal organization has none to list: its
//! page is that of its settings.

use super::change_form::{ChangeForm, LoggedIn};
use super::organization_lines::{done_notice, member_line, organization_head, path};
use super::organization_members::membership;
use super::organization_settings::Rename;
use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::directory::list::{ListRange, Listing};
use crate::domain::directory::member::MemberRecord;
use crate::domain::organization::read;
use crate::domain::organization::rules::MembershipView;
use crate::http::form::FormErrors;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, MemberLine, OrganizationPage, OrganizationTab};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::organization::OrganizationKind;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;

const PAGE_SIZE: u32 = 50;
/// Fewer members are seen at a glance, without a search.
const SEARCHED_FROM: usize = 10;
/// For how long the page of a team says that it was created.
const NEW_FOR: Duration = Duration::from_mins(1);

pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let by = LoggedIn { context: &context, live: &live };
    let membership = membership(by, org).await?;
    match membership.organization.kind {
        OrganizationKind::Personal => Rename::page(by, &membership, &FormErrors::default()).await,
        OrganizationKind::Team => page(by, &membership).await,
    }
}

async fn page(by: LoggedIn<'_>, membership: &MembershipView) -> Result<Response, PageError> {
    let LoggedIn { context, live } = by;
    let viewer = live.view.user_id;
    let members = members(context, live, membership).await?;
    let mut lines: Vec<MemberLine<'_>> = members.data.iter().map(|row| member_line(row, viewer, membership)).collect();
    let head = organization_head(context, live, membership, OrganizationTab::Members).await?;
    let (search, has_previous_page) = (context.query.text("search").trim(), after(context).is_some());
    let is_whole = search.is_empty() && !has_previous_page && members.next.is_none();
    if is_whole {
        // On several pages the newest stand first, as no page could be turned by names that change.
        lines.sort_by_cached_key(|line| line.label.called().to_lowercase());
    }
    let is_of_many = !is_whole && search.is_empty();
    let counted = if is_of_many {
        Some(read::member_count(&context.app, &context.principal(live), membership).await?)
    } else {
        None
    };
    let notice = notice(context, viewer, membership, head.is_active);
    let next = members.next.map(|place| place.to_string());
    let view = OrganizationPage {
        layout: &by.shell("/auth/organizations", None)?,
        head,
        notice: notice.as_ref(),
        members: &lines,
        counted,
        is_searchable: !is_whole || lines.len() >= SEARCHED_FROM,
        is_alone: is_whole && lines.len() == 1,
        search,
        has_previous_page,
        next: next.as_deref(),
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// Cursor: last member of the previous page.
fn after(context: &PageContext) -> Option<ListPlace> {
    context.query.get("after").and_then(ListPlace::parse)
}

async fn members(
    context: &PageContext,
    live: &LiveSession,
    membership: &MembershipView,
) -> Result<Listing<MemberRecord>, PageError> {
    let range = ListRange { after: after(context).unwrap_or(ListPlace::START), limit: PAGE_SIZE };
    let search = context.query.text("search");
    Ok(read::members(&context.app, &context.principal(live), membership, search, range).await?)
}

/// What was just done. That a team is new is seen by its age: what creates it redirects to its bare path, from which
/// clients take its id.
fn notice(context: &PageContext, viewer: UserId, membership: &MembershipView, is_active: bool) -> Option<Message> {
    let organization = &membership.organization;
    let is_own = organization.created_by_user_id == Some(viewer);
    let is_new = is_own && context.app.clock.now().since(organization.created_at) < NEW_FOR;
    if context.query.get("done").is_none() && is_active && is_new {
        return Some(Message::new("organization-created").text("organization", organization.name.as_str()));
    }
    let done = [("switched", "organization-switched"), ("role", "member-role-changed"), ("removed", "member-removed")];
    done_notice(context, &done, (organization.kind, &organization.name))
}
