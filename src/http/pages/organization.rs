//! `/auth/organizations/{id}`: members, invitations and name (docs/reference/browser.md 11).

use super::organization_lines::{member_line, organization_header, path};
use super::organization_refused::refused_field;
use super::page_context::PageContext;
use super::required::parse_id;
use super::shared_fields::NameFields;
use crate::domain::directory::invitation::InvitationRecord;
use crate::domain::directory::list::{ListRange, Listing};
use crate::domain::directory::member::MemberRecord;
use crate::domain::ending::Commit;
use crate::domain::organization::invite;
use crate::domain::organization::manage;
use crate::domain::organization::read;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::rules::MembershipView;
use crate::http::form::{FormErrors, FromAnywhere};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, InvitationLine, Invitations, MemberLine, NewInvitationLink, OrganizationPage, account_sections,
};
use crate::model::ids::OrganizationId;
use crate::model::list_place::ListPlace;
use crate::model::organization::{InvitationState, MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::rate_limit::ChangeKind;
use crate::settings::OrgMode;
use axum::extract::Path;
use axum::response::Response;

/// Members per page.
const PAGE_SIZE: u32 = 50;

/// An invitation link, shown once.
pub(super) struct InvitationLink {
    pub(super) email: String,
    pub(super) url: String,
    pub(super) expires_at: Time,
    pub(super) mailed: bool,
}

/// Shows the organization.
pub async fn show(context: PageContext, Path(org): Path<String>) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    page(&context, &live, org, &FormErrors::default()).await
}

/// Renames the organization.
pub async fn rename(
    context: PageContext,
    Path(org): Path<String>,
    submitted: FromAnywhere<NameFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, org, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    match manage::rename(&context.app, &context.person(&live), org, Some(&form.name), Commit).await {
        Ok(_) => Ok(context.redirect(Some(&path(org)))),
        Err(error) => page(&context, &live, org, &refused_field(form.again(), "name", error)?).await,
    }
}

/// The page with what was typed and what was wrong.
pub(super) async fn page(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    page_with_link(context, live, org, errors, None).await
}

/// The page with a new invitation link.
pub(super) async fn page_with_link(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    errors: &FormErrors,
    link: Option<&InvitationLink>,
) -> Result<Response, PageError> {
    let viewer = live.view.user_id;
    let (membership, members, invitations) = load(context, live, org).await?;
    let csrf = context.csrf()?;
    let lines: Vec<MemberLine<'_>> = members.data.iter().map(|row| member_line(row, viewer, &membership)).collect();
    let must_verify = invitations.as_ref().is_some_and(|invitations| invitations.must_verify);
    let pending: Option<Vec<InvitationLine<'_>>> = invitations
        .as_ref()
        .map(|invitations| invitations.rows.iter().map(|row| invitation_line(row, &membership)).collect());
    let header = organization_header(&membership);
    let next = members.next.map(|place| place.to_string());
    let view = OrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: header,
        members: &lines,
        search: context.query.text("search").trim(),
        has_previous_page: after(context).is_some(),
        next: next.as_deref(),
        invitations: pending.as_deref().map(|pending| invitation_section(pending, must_verify, errors, link)),
        rename: errors.field_or("name", header.name),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

/// The pending invitations, with the form that creates one.
fn invitation_section<'a>(
    pending: &'a [InvitationLine<'a>],
    must_verify: bool,
    errors: &'a FormErrors,
    link: Option<&'a InvitationLink>,
) -> Invitations<'a> {
    let role = errors.typed().get("role").and_then(MemberRole::parse);
    Invitations {
        pending,
        must_verify,
        email: errors.field("email"),
        role: role.unwrap_or(MemberRole::Member),
        role_error: errors.of("role"),
        link: link.map(|link| NewInvitationLink {
            email: &link.email,
            url: &link.url,
            expires_at: link.expires_at,
            mailed: link.mailed,
        }),
    }
}

type PageData = (MembershipView, Listing<MemberRecord>, Option<InvitationData>);

/// The invitations of an organization, for those who may invite.
struct InvitationData {
    rows: Vec<InvitationRecord>,
    must_verify: bool,
}

/// After whom the list of members goes on.
fn after(context: &PageContext) -> Option<ListPlace> {
    context.query.get("after").and_then(ListPlace::parse)
}

async fn load(context: &PageContext, live: &LiveSession, org: OrganizationId) -> Result<PageData, OrganizationError> {
    let (app, person) = (&context.app, &context.person(live));
    let membership = read::organization(app, person, org).await?;
    let range = ListRange { after: after(context).unwrap_or(ListPlace::START), limit: PAGE_SIZE };
    let members = read::members(app, person, &membership, context.query.text("search"), range).await?;
    let may_invite = membership.organization.kind == OrganizationKind::Team
        && membership.role >= MemberRole::Admin
        && app.settings.accounts.org_mode != OrgMode::Personal;
    if !may_invite {
        return Ok((membership, members, None));
    }
    let must_verify = invite::must_verify(app, person, live.view.user_id).await?;
    let invitations = InvitationData { rows: read::invitations(app, person, &membership).await?, must_verify };
    Ok((membership, members, Some(invitations)))
}

fn invitation_line<'a>(row: &'a InvitationRecord, membership: &MembershipView) -> InvitationLine<'a> {
    InvitationLine {
        id: row.id,
        email: &row.email,
        role: row.role,
        expires_at: row.expires_at,
        expired: row.state == InvitationState::Expired,
        changeable: membership.may_change(row.role).is_ok(),
    }
}
