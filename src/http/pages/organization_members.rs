//! `/auth/organizations/{id}/members/{user}` and `/leave`: changes roles and ends memberships.

use super::organization_lines::{member_line, organization_header, path};
use super::organization_refused::page as refused_page;
use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::directory::member::MemberRecord;
use crate::domain::ending::Commit;
use crate::domain::organization::rules::MembershipView;
use crate::domain::organization::{members, read};
use crate::domain::session::lifecycle::Subject;
use crate::http::form::{FormErrors, FormFields, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, LeaveOrganizationPage, MemberPage, RemoveMemberPage, account_sections};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::principal::Operation;
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal};
use axum::extract::Path;
use axum::response::Response;
use serde::Deserialize;

type MemberPath = Path<(String, String)>;

/// Shown beside the role field if the value is not a role.
pub(super) static NO_SUCH_ROLE: Message = Message::new("role-missing");

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RoleFields {
    role: String,
}

impl FormFields for RoleFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["role"];
}

fn parse_ids(ids: &(String, String)) -> Result<(OrganizationId, UserId), PageError> {
    Ok((OrganizationId(parse_id(&ids.0)?), UserId(parse_id(&ids.1)?)))
}

/// Shows a member to a user who may change them.
pub async fn show(context: PageContext, Path(path_ids): MemberPath) -> Result<Response, PageError> {
    let (org, user) = parse_ids(&path_ids)?;
    let live = context.require_login(&format!("{}/members/{user}", path(org))).await?;
    member_page(&context, &live, org, user, &FormErrors::default()).await
}

pub async fn set_role(
    context: PageContext,
    Path(path_ids): MemberPath,
    submitted: Submitted<RoleFields>,
) -> Result<Response, PageError> {
    let (org, user) = parse_ids(&path_ids)?;
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return member_page(&context, &live, org, user, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Members).await?;
    let Some(role) = MemberRole::parse(&form.role) else {
        return member_page(&context, &live, org, user, &form.refused(NO_SUCH_ROLE.clone())).await;
    };
    match members::set_role(&context.app, &context.person(&live), org, user, Some(role), Commit).await {
        Ok(_) => Ok(context.redirect(Some(&format!("{}?done=role", path(org))))),
        Err(error) => member_page(&context, &live, org, user, &form.again().refused(error)?).await,
    }
}

/// Asks for confirmation before a member is removed; who would remove themselves leaves.
pub async fn show_remove(context: PageContext, Path(path_ids): MemberPath) -> Result<Response, PageError> {
    let (org, user) = parse_ids(&path_ids)?;
    let live = context.require_login(&format!("{}/members/{user}/remove", path(org))).await?;
    remove_page(&context, &live, org, user, &FormErrors::default()).await
}

pub async fn remove(
    context: PageContext,
    Path(path_ids): MemberPath,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let (org, user) = parse_ids(&path_ids)?;
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return remove_page(&context, &live, org, user, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Members).await?;
    match members::remove(&context.app, &context.person(&live), org, user).await {
        Ok(()) if user == live.view.user_id => membership_ended_response(&context, &live, "left").await,
        Ok(()) => Ok(context.redirect(Some(&format!("{}?done=removed", path(org))))),
        Err(error) => remove_page(&context, &live, org, user, &form.again().refused(error)?).await,
    }
}

pub async fn show_leave(context: PageContext, Path(org): Path<String>) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&format!("{}/leave", path(org))).await?;
    leave_page(&context, &live, org, &FormErrors::default()).await
}

pub async fn leave(
    context: PageContext,
    Path(org): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let org = OrganizationId(parse_id(&org)?);
    let live = context.require_login(&path(org)).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return leave_page(&context, &live, org, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Organizations).await?;
    match members::leave(&context.app, &context.person(&live), org).await {
        Ok(()) => membership_ended_response(&context, &live, "left").await,
        Err(error) => leave_page(&context, &live, org, &form.again().refused(error)?).await,
    }
}

/// Redirects to the list, which says how the user's own membership ended.
pub(super) async fn membership_ended_response(
    context: &PageContext,
    live: &LiveSession,
    done: &str,
) -> Result<Response, PageError> {
    follow_active_organization(context, live).await?;
    Ok(context.redirect(Some(&format!("/auth/organizations?done={done}"))))
}

/// Sets an access token for the organization that the session works in now.
pub(super) async fn follow_active_organization(context: &PageContext, live: &LiveSession) -> Result<(), PageError> {
    let mut conn =
        context.app.store.read_own(&context.person(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    match conn.session_find(live.id).await?.as_ref().and_then(Subject::of) {
        Some(subject) => context.reissue_access_token(live, &subject),
        None => Ok(()),
    }
}

/// Returns the user's membership, or the 404 page.
pub(super) async fn membership(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
) -> Result<MembershipView, PageError> {
    Ok(read::organization(&context.app, &context.person(live), org).await?)
}

/// The member, if the viewer may change them; or the page that says why not.
async fn changeable_member(
    context: &PageContext,
    live: &LiveSession,
    membership: &MembershipView,
    user: UserId,
) -> Result<MemberRecord, PageError> {
    let row = read::member(&context.app, &context.person(live), membership, user).await?;
    match membership.may_change(row.role) {
        Ok(()) => Ok(row),
        Err(refusal) => Err(refused_page(context, membership.organization.id, refusal)),
    }
}

async fn member_page(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    user: UserId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let membership = membership(context, live, org).await?;
    let row = changeable_member(context, live, &membership, user).await?;
    let csrf = context.csrf()?;
    let view = MemberPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        member: member_line(&row, live.view.user_id, &membership),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

async fn remove_page(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    user: UserId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    if user == live.view.user_id {
        return leave_page(context, live, org, errors).await;
    }
    let membership = membership(context, live, org).await?;
    let row = changeable_member(context, live, &membership, user).await?;
    let csrf = context.csrf()?;
    let view = RemoveMemberPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        member: member_line(&row, live.view.user_id, &membership),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

async fn leave_page(
    context: &PageContext,
    live: &LiveSession,
    org: OrganizationId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let membership = membership(context, live, org).await?;
    if let Err(refusal) = membership.require_team() {
        return Err(refused_page(context, org, refusal));
    }
    // Known before the button is pressed.
    let refusal = match read::may_leave(&context.app, &context.person(live), &membership).await {
        Ok(()) => None,
        Err(ChangeError::Refused(Refusal::Rule(_, message))) => Some(message),
        Err(error) => return Err(error.into()),
    };
    let csrf = context.csrf()?;
    let view = LeaveOrganizationPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/organizations"),
        organization: organization_header(&membership),
        may_leave: refusal.is_none(),
        form_error: errors.form().or(refusal.as_ref()),
    };
    Ok(views::page(errors.status(), &view))
}
