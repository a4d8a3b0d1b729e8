//! `/auth/organizations/{id}/members/{user}` and `/leave`: changes roles and ends memberships.

use super::change_form::{ChangeForm, ChangeResult, FormTarget, LoggedIn, PageResult};
use super::organization_lines::{member_line, organization_header, path};
use super::organization_refused::page as refused_page;
use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::change;
use crate::domain::directory::member::MemberRecord;
use crate::domain::organization::rules::MembershipView;
use crate::domain::organization::{members, read};
use crate::domain::session::lifecycle::Subject;
use crate::http::form::{Form, FormErrors, FormFields, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, LeaveOrganizationPage, MemberPage, RemoveMemberPage};
use crate::messages::Message;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::principal::Operation;
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal, Rule};
use axum::response::Response;
use serde::Deserialize;

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

/// A member whom the viewer may change.
pub struct ChangeableMember {
    membership: MembershipView,
    row: MemberRecord,
}

impl FormTarget for ChangeableMember {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, (org, user): Self::Ids) -> Result<Self, PageError> {
        let membership = MembershipView::find(by, org).await?;
        let row = read::member(&by.app, &by.principal(), &membership, UserId(parse_id(&user)?)).await?;
        match membership.may_change(row.role) {
            Ok(()) => Ok(Self { membership, row }),
            Err(refusal) => Err(refused_page(by.context, membership.organization.id, refusal)),
        }
    }
}

impl ChangeableMember {
    /// Where their organization says that it was done.
    fn done(&self, context: &PageContext, what: &str) -> Response {
        context.redirect(Some(&format!("{}?done={what}", path(self.membership.organization.id))))
    }
}

pub struct SetMemberRole;

impl ChangeForm for SetMemberRole {
    type Target = ChangeableMember;
    type Sent = Submitted<RoleFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Members);

    fn home(context: &PageContext) -> &str {
        context.path().trim_end_matches("/role")
    }

    async fn page(
        by: LoggedIn<'_>,
        ChangeableMember { membership, row }: &ChangeableMember,
        errors: &FormErrors,
    ) -> PageResult {
        let view = MemberPage {
            layout: &by.shell("/auth/organizations", errors.form())?,
            organization: organization_header(membership),
            member: member_line(row, by.user(), membership),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, member: &ChangeableMember, form: &Form<RoleFields>) -> ChangeResult {
        let role = MemberRole::parse(&form.role).ok_or(Refusal::Rule(Rule::Conflict, NO_SUCH_ROLE.clone()))?;
        let (org, user) = (member.membership.organization.id, member.row.user_id);
        change::run(&by.app, &by.principal(), members::SetRole { org, user, role: Some(role) }).await?;
        Ok(member.done(by.context, "role"))
    }
}

/// Who would remove themselves leaves.
pub enum RemovalTarget {
    Own(MembershipView),
    Other(ChangeableMember),
}

impl FormTarget for RemovalTarget {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, ids: Self::Ids) -> Result<Self, PageError> {
        if UserId(parse_id(&ids.1)?) == by.user() {
            return Ok(Self::Own(MembershipView::find(by, ids.0).await?));
        }
        Ok(Self::Other(ChangeableMember::find(by, ids).await?))
    }
}

pub struct RemoveMember;

impl ChangeForm for RemoveMember {
    type Target = RemovalTarget;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Members);

    async fn page(by: LoggedIn<'_>, target: &RemovalTarget, errors: &FormErrors) -> PageResult {
        let ChangeableMember { membership, row } = match target {
            RemovalTarget::Own(membership) => return Leave::page(by, membership, errors).await,
            RemovalTarget::Other(member) => member,
        };
        let view = RemoveMemberPage {
            layout: &by.shell("/auth/organizations", errors.form())?,
            organization: organization_header(membership),
            member: member_line(row, by.user(), membership),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, target: &RemovalTarget, form: &Form<NoFields>) -> ChangeResult {
        let member = match target {
            RemovalTarget::Own(membership) => return Leave::change(by, membership, form).await,
            RemovalTarget::Other(member) => member,
        };
        let (org, user) = (member.membership.organization.id, member.row.user_id);
        change::run(&by.app, &by.principal(), members::RemoveMember { org, user }).await?;
        Ok(member.done(by.context, "removed"))
    }
}

pub struct Leave;

impl ChangeForm for Leave {
    type Target = MembershipView;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Organizations);

    async fn page(by: LoggedIn<'_>, membership: &MembershipView, errors: &FormErrors) -> PageResult {
        if let Err(refusal) = membership.require_team() {
            return Err(refused_page(by.context, membership.organization.id, refusal));
        }
        // Known before the button is pressed.
        let refusal = match read::may_leave(&by.app, &by.principal(), membership).await {
            Ok(()) => None,
            Err(ChangeError::Refused(Refusal::Rule(_, message))) => Some(message),
            Err(error) => return Err(error.into()),
        };
        let view = LeaveOrganizationPage {
            layout: &by.shell("/auth/organizations", errors.form().or(refusal.as_ref()))?,
            organization: organization_header(membership),
            may_leave: refusal.is_none(),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, membership: &MembershipView, _: &Form<NoFields>) -> ChangeResult {
        change::run(&by.app, &by.principal(), members::Leave { org: membership.organization.id }).await?;
        Ok(membership_ended_response(by.context, by.live, "left").await?)
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
        context.app.store.read_own(&context.principal(live), Operation::ReadOwnAccount, live.view.user_id).await?;
    match conn.session_find(live.id).await?.as_ref().and_then(Subject::of) {
        Some(subject) => context.reissue_access_token(live, &subject),
        None => Ok(()),
    }
}

/// Returns the user's membership, or the 404 page.
pub(super) async fn membership(by: LoggedIn<'_>, org: OrganizationId) -> Result<MembershipView, PageError> {
    Ok(read::organization(&by.app, &by.principal(), org).await?)
}

impl FormTarget for MembershipView {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, org: String) -> Result<Self, PageError> {
        membership(by, OrganizationId(parse_id(&org)?)).await
    }
}
